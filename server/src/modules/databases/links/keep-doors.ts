import type { Store } from '../../../db/pool.ts';
import { createWakeSignal } from '../../../jobs/wake-signal.ts';
import type { Log } from '../../../lib/log.ts';
import type { ChannelHub } from '../../../routing/channel-hub.ts';
import type { ChannelListener } from '../../../routing/channel-listener.ts';
import { MACHINES_CHANNEL, readMachineAddresses } from '../../../routing/machine-store.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { allDatabases, DATABASE_CHANNEL } from '../database-store.ts';
import { readHostAddress } from '../host-address-store.ts';
import { allServers } from '../server-store.ts';
import { doorsOf } from './doors-of.ts';

export interface DoorKeeperDeps {
  store: Pick<Store, 'db'>;
  channels: ChannelHub;
  runtime: Pick<Runtime, 'setDoors'>;
  log: Log;
  /** How often it is looked for what a lost notification would have told. */
  lookMs?: number;
}

export interface DoorKeeper {
  /** Resolves when the doors are as the rows say, or could not be made so; then it is tried again. */
  start(): Promise<void>;
  /** The doors stay. */
  stop(): Promise<void>;
}

const LOOK_MS = 30_000;

/** Lets instances reach the databases that the rows say, a moment after they say it. */
export function keepDoors({ store, channels, runtime, log, lookMs = LOOK_MS }: DoorKeeperDeps): DoorKeeper {
  const { db } = store;
  const alarm = createWakeSignal();
  const stopping = new AbortController();
  let told: string | null = null;

  async function look(): Promise<void> {
    try {
      const doors = doorsOf(await allDatabases(db), await allServers(db));
      const host = (await readHostAddress(db)) ?? undefined;
      const machines = await readMachineAddresses(db);
      const text = JSON.stringify([doors, host, machines]);
      if (text === told) return;
      told = null;
      await runtime.setDoors(doors, host, machines);
      told = text;
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn({ err: error }, 'which instances reach which databases could not be set; it is tried again');
    }
  }

  async function follow(): Promise<void> {
    for (await alarm.wait(lookMs); !stopping.signal.aborted; await alarm.wait(lookMs)) await look();
  }

  let listener: ChannelListener | undefined;
  let following: Promise<void> | undefined;
  return {
    async start() {
      await look();
      listener = channels.listen({
        channels: [DATABASE_CHANNEL, MACHINES_CHANNEL],
        onNotification: () => alarm.wake(),
        onConnect: () => alarm.wake(),
      });
      following = follow();
    },
    async stop() {
      stopping.abort();
      alarm.wake();
      await Promise.all([listener?.close(), following]);
    },
  };
}

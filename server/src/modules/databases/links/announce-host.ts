import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../../db/pool.ts';
import type { Leadership } from '../../../jobs/leadership.ts';
import type { Log } from '../../../lib/log.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { allDatabases, tellChange } from '../database-store.ts';
import { writeHostAddress } from '../host-address-store.ts';
import { enqueueRenewLinked } from '../job-kinds.ts';

export interface HostAnnouncerDeps {
  store: Pick<Store, 'db'>;
  runtime: Pick<Runtime, 'network'>;
  /** Of the databases: only who keeps them says where they are. */
  leadership: Pick<Leadership, 'hold'>;
  log: Log;
  /** How often it is looked whether instances stand elsewhere, or this machine is called otherwise. */
  lookMs?: number;
}

export interface HostAnnouncer {
  /** Resolves when it is written down, or could not be; then it is tried again. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_MS = 10_000;
const FAILED = 'where instances reach the databases could not be written down; it is tried again';

/** Tells all hosts where instances reach the databases that this one keeps. */
export function announceHost({ store, runtime, leadership, log, lookMs = LOOK_MS }: HostAnnouncerDeps): HostAnnouncer {
  const { db } = store;
  const stopping = new AbortController();
  let announced: string | null = null;
  let following: Promise<void> | undefined;

  async function look(): Promise<void> {
    try {
      const { hostAddress } = await runtime.network();
      if (hostAddress === announced) return;
      await db.transaction().execute(async (tx) => {
        await leadership.hold(tx);
        if (!(await writeHostAddress(tx, hostAddress))) return;
        const databases = await allDatabases(tx);
        for (const database of databases) await enqueueRenewLinked(tx, database);
        await tellChange(tx, databases[0]?.id ?? '');
      });
      announced = hostAddress;
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, FAILED);
    }
  }

  async function follow(): Promise<void> {
    const { signal } = stopping;
    for (;;) {
      await delay(lookMs, undefined, { signal, ref: false }).catch(() => {});
      if (signal.aborted) return;
      await look();
    }
  }

  return {
    async start() {
      await look();
      following = follow();
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

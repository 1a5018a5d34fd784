import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathsOf, type Config } from '../../../config.ts';
import { start, type ChildProcess } from '../../../lib/exec.ts';
import { endProcess, isAlive } from '../../../lib/process-identity.ts';
import { createSemaphore } from '../../../lib/semaphore.ts';
import type { Lead, StableAddresses } from '../stable-address.ts';
import { listOrders, readOrder, readState, removeProxyFiles, writeOrder } from './proxy-files.ts';

const SCRIPT = join(import.meta.dirname, 'proxy-process.ts');
const LOOK_MS = 10;
const OBEY_WITHIN_MS = 5000;
/** Connections through it end with it: whoever ends one has another way in, or none at all. */
const ENDING = [{ signal: 'SIGKILL', waitMs: 5000 }] as const;

/** A small detached process for each port that leads elsewhere, for machines where the kernel cannot do it. */
export function createProxies({ config }: { config: Pick<Config, 'home'> }): StableAddresses {
  const folder = join(pathsOf(config).run, 'addresses');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const turn = createSemaphore(1);

  async function lead(port: number, wanted: Lead): Promise<void> {
    const { target, networks } = wanted;
    const known = readOrder(folder, port);
    const state = readState(folder, port);
    const living = state && isAlive(state.process) ? state : null;
    const isSame = known?.target === target && String(known.networks) === String(networks);
    if (isSame && living?.number === known.number) return;
    const number = randomUUID();
    writeOrder(folder, port, { target, networks, number });
    if (living) process.kill(living.process.pid, 'SIGHUP');
    const launched = living ? null : launch(folder, port);
    const isObeyed = () => readState(folder, port)?.number === number;
    await untilObeyed({ port, isObeyed, hasEnded: () => launched !== null && launched.exitCode !== null });
  }

  async function end(port: number): Promise<void> {
    const state = readState(folder, port);
    if (state) await endProcess(state.process, ENDING);
    removeProxyFiles(folder, port);
  }

  return {
    name: 'proxy',
    point: (port, wanted) => turn.run(() => (wanted ? lead(port, wanted) : end(port))),
    list: () =>
      turn.run(async () => {
        const targets = listOrders(folder).map((port): [number, number] => [
          port,
          readOrder(folder, port)?.target ?? 0,
        ]);
        return new Map(targets);
      }),
    hold: (wanted) =>
      turn.run(async () => {
        for (const port of listOrders(folder)) if (!wanted.has(port)) await end(port);
        for (const [port, to] of wanted) await lead(port, to);
      }),
  };
}

function launch(folder: string, port: number): ChildProcess {
  const argv = [process.execPath, SCRIPT, folder, String(port)] as const;
  const child = start(argv, { env: {}, cwd: '/', stdio: 'ignore', detached: true });
  // One that cannot be started does not obey, and that is told.
  child.once('error', () => undefined);
  child.unref();
  return child;
}

async function untilObeyed(proxy: { port: number; isObeyed(): boolean; hasEnded(): boolean }): Promise<void> {
  const deadline = Date.now() + OBEY_WITHIN_MS;
  while (!proxy.isObeyed()) {
    if (proxy.hasEnded() || Date.now() > deadline) {
      throw new Error(`The proxy at port ${proxy.port} did not come up: is the port taken?`);
    }
    await delay(LOOK_MS);
  }
}

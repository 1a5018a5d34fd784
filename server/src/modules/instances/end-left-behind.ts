import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../db/pool.ts';
import { listLeaderships } from '../../jobs/leadership-store.ts';
import type { Log } from '../../lib/log.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { readRoutedInstances } from './routed-instances-store.ts';

export interface LeftBehindDeps {
  store: Pick<Store, 'db'>;
  runtime: Pick<Runtime, 'list' | 'stop' | 'forgetOutput'>;
  /** The name of this host. */
  host: string;
  log: Log;
}

export interface LeftBehindWatch {
  /** Not waited for: what is half-stopped is found by the next start. */
  stop(): void;
}

const LOOK_MS = 15_000;
const GRACE_MS = 10_000;

/** Looks now and then whether instances were left behind here, until it is stopped. */
export function watchLeftBehind(deps: LeftBehindDeps): LeftBehindWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  const look = async (): Promise<void> => {
    while (!signal.aborted) {
      await endLeftBehind(deps).catch((error: unknown) => {
        if (!signal.aborted) deps.log.warn({ err: error }, 'instances that were left behind are not ended yet');
      });
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  void look();
  return { stop: () => stopping.abort() };
}

/**
 * Ends what runs on this machine though another host keeps the instances now, and has told edges of others. What edges
 * are told of is left alone, and so is everything while nobody keeps them: this host may be the next to do so.
 */
export async function endLeftBehind({ store, runtime, host, log }: LeftBehindDeps): Promise<void> {
  const lead = (await listLeaderships(store.db)).find(({ name }) => name === 'instances');
  if (!lead?.isHeld || lead.host === null || lead.host === host) return;
  const found = await runtime.list();
  if (found.length === 0) return;
  const routed = await readRoutedInstances(store.db);
  for (const { id } of found.filter((instance) => !routed.has(instance.id))) {
    log.warn({ instance: id, keeper: lead.host }, 'ending an instance that was left behind: another host keeps them');
    await runtime.stop(id, { graceMs: GRACE_MS });
    // Whoever collects output does so on that other host.
    await runtime.forgetOutput(id);
  }
}

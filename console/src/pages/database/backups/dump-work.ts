import { useSyncExternalStore } from 'react';
import type { Dump } from './ask-for-dump.ts';

interface DumpWork {
  /** Null: none is being written. */
  begunAtMs: number | null;
  dump: Dump | null;
  error: unknown;
}

const none: DumpWork = { begunAtMs: null, dump: null, error: null };
const works = new Map<string, DumpWork>();
const listeners = new Set<() => void>();

/** The dump that was asked for here, however often its tab is left: the platform lists none. */
export function useDumpWork(databaseId: string): DumpWork {
  return useSyncExternalStore(listen, () => dumpWorkOf(databaseId));
}

export function dumpWorkOf(databaseId: string): DumpWork {
  return works.get(databaseId) ?? none;
}

export async function makeDump(databaseId: string, ask: () => Promise<Dump>): Promise<void> {
  tell(databaseId, { ...none, begunAtMs: Date.now() });
  const ended = await ask().then(
    (dump) => ({ ...none, dump }),
    (error: unknown) => ({ ...none, error }),
  );
  tell(databaseId, ended);
}

function tell(databaseId: string, work: DumpWork): void {
  works.set(databaseId, work);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

import { useSyncExternalStore } from 'react';
import { forgetWithPerson } from '../../../lib/person-memory.ts';
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

// Its address opens all of the data.
forgetWithPerson(() => works.clear());

/** The dump that was asked for here, however often its tab is left: the platform lists none. */
export function useDumpWork(databaseId: string): DumpWork {
  return useSyncExternalStore(listen, () => dumpWorkOf(databaseId));
}

export function dumpWorkOf(databaseId: string): DumpWork {
  return works.get(databaseId) ?? none;
}

export async function makeDump(databaseId: string, ask: () => Promise<Dump>): Promise<void> {
  const begun = { ...none, begunAtMs: Date.now() };
  tell(databaseId, begun);
  const ended = await ask().then(
    (dump) => ({ ...none, dump }),
    (error: unknown) => ({ ...none, error }),
  );
  // Whoever signed out meanwhile does not want it any more.
  if (works.get(databaseId) === begun) tell(databaseId, ended);
}

function tell(databaseId: string, work: DumpWork): void {
  works.set(databaseId, work);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

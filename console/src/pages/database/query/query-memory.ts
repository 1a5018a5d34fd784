import { forgetWithPerson } from '../../../lib/person-memory.ts';

/** One statement that was run. */
export interface QueryEntry {
  statement: string;
  at: string;
  /** How it went, in a few words. */
  outcome: string;
  isFailure: boolean;
}

interface QueryMemory {
  draft: string;
  history: readonly QueryEntry[];
}

const MOST_ENTRIES = 30;
const memories = new Map<string, QueryMemory>();
forgetWithPerson(() => memories.clear());

/**
 * What the person typed and ran here since the page was loaded. It is kept nowhere else: statements may hold secrets.
 */
export function recall(databaseId: string): QueryMemory {
  return memories.get(databaseId) ?? { draft: '', history: [] };
}

export function remember(databaseId: string, part: Partial<QueryMemory>): QueryMemory {
  const next = { ...recall(databaseId), ...part };
  memories.set(databaseId, next);
  return next;
}

/** The newest first; the same statement is there once. */
export function withEntry(history: readonly QueryEntry[], entry: QueryEntry): QueryEntry[] {
  return [entry, ...history.filter(({ statement }) => statement !== entry.statement)].slice(0, MOST_ENTRIES);
}

/** To end a statement by. `randomUUID` is for secure addresses only. */
export function newQueryId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

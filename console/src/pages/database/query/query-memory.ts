import { guardClosing } from '../../../lib/leaving.ts';

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
let releaseClosing: (() => void) | null = null;

/**
 * What the person typed and ran here since the page was loaded. It is kept nowhere else, since statements may hold
 * secrets: the browser asks before one goes that was not run yet.
 */
export function recall(databaseId: string): QueryMemory {
  return memories.get(databaseId) ?? { draft: '', history: [] };
}

export function remember(databaseId: string, part: Partial<QueryMemory>): QueryMemory {
  const next = { ...recall(databaseId), ...part };
  memories.set(databaseId, next);
  watchDrafts();
  return next;
}

/** For a database that is gone: nothing can be run in it. */
export function forgetStatements(databaseId: string): void {
  memories.delete(databaseId);
  watchDrafts();
}

/** Something stands there that was not done as it stands. */
function isUnsent({ draft, history }: QueryMemory): boolean {
  return draft.trim() !== '' && !history.some(({ statement, isFailure }) => statement === draft && !isFailure);
}

function watchDrafts(): void {
  if ([...memories.values()].some(isUnsent)) {
    releaseClosing ??= guardClosing('typed');
  } else {
    releaseClosing?.();
    releaseClosing = null;
  }
}

/** The newest first; the same statement is there once. */
export function withEntry(history: readonly QueryEntry[], entry: QueryEntry): QueryEntry[] {
  return [entry, ...history.filter(({ statement }) => statement !== entry.statement)].slice(0, MOST_ENTRIES);
}

/** To end a statement by. `randomUUID` is for secure addresses only. */
export function newQueryId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

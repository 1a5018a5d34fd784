import { useRef, useState } from 'react';
import type { OutputOf } from '../../../lib/api-types.ts';
import { describeError } from '../../../lib/describe-error.ts';
import { browserSession } from '../../../session/browser-session.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { newQueryId, type QueryEntry, recall, remember, withEntry } from './query-memory.ts';

export type QueryResult = OutputOf<'databases.explorer.query'>;

interface Outcome {
  result: QueryResult | null;
  error: unknown;
}

/** One statement at a time: its result, how to end it, and those before. */
export function useQueryRunner(database: Database) {
  const addressed = useAddressed(database);
  const [outcome, setOutcome] = useState<Outcome>({ result: null, error: null });
  const [history, setHistory] = useState(() => recall(database.id).history);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<{ queryId: string; leaving: AbortController } | null>(null);

  const note = (entry: Omit<QueryEntry, 'at'>) => {
    const all = withEntry(recall(database.id).history, { ...entry, at: new Date().toISOString() });
    setHistory(remember(database.id, { history: all }).history);
  };

  const run = async (statement: string, readOnly: boolean) => {
    if (running.current || statement.trim() === '') return;
    const mine = { queryId: newQueryId(), leaving: new AbortController() };
    running.current = mine;
    setRunning(true);
    try {
      const body = { ...addressed, statement, readOnly, queryId: mine.queryId };
      const result = await browserSession.call('databases.explorer.query', { body, signal: mine.leaving.signal });
      setOutcome({ result, error: null });
      note({ statement, outcome: countOf(result), isFailure: false });
    } catch (error) {
      const isLeft = mine.leaving.signal.aborted;
      setOutcome({ result: null, error: isLeft ? null : error });
      note({ statement, outcome: isLeft ? 'cancelled' : describeError(error).message, isFailure: true });
    } finally {
      running.current = null;
      setRunning(false);
    }
  };

  /** One that has not begun yet is not known there: it ends when nobody waits for it any more. */
  const cancel = async () => {
    const mine = running.current;
    if (!mine) return;
    const body = { ...addressed, queryId: mine.queryId };
    const answer = await browserSession.call('databases.explorer.cancel', { body }).catch(() => null);
    if (!answer?.cancelled) mine.leaving.abort();
  };

  return { ...outcome, history, isRunning, run, cancel };
}

export function countOf({ columns, rowCount }: Pick<QueryResult, 'columns' | 'rowCount'>): string {
  const rows = `${rowCount.toLocaleString('en-GB')} row${rowCount === 1 ? '' : 's'}`;
  return columns.length === 0 ? `${rows} changed` : rows;
}

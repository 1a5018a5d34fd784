import { useRef, useState } from 'react';
import { describeError } from '../../../lib/describe-error.ts';
import { Refusal } from '../../../lib/refusal.ts';
import { tooLong } from '../../../lib/too-long.ts';
import { browserSession } from '../../../session/browser-session.ts';
import { usePermission } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { describeResult, type QueryResult } from './describe-result.ts';
import { explainRefusal } from './explain-refusal.ts';
import { newQueryId, type QueryEntry, recall, remember, withEntry } from './query-memory.ts';

interface Outcome {
  result: QueryResult | null;
  /** Of the result. */
  words: string;
  error: unknown;
}

/** The contract's. */
const LONGEST_STATEMENT = 100_000;

const nothing: Outcome = { result: null, words: '', error: null };

export type QueryRunner = ReturnType<typeof useQueryRunner>;

/**
 * One statement at a time: its result, how to end it, and those before. It is of the whole page: who looks at another
 * tab meanwhile finds it there again.
 */
export function useQueryRunner(database: Database) {
  const addressed = useAddressed(database);
  const canChange = usePermission('update:projects');
  const [outcome, setOutcome] = useState(nothing);
  const [history, setHistory] = useState(() => recall(database.id).history);
  const [isRunning, setRunning] = useState(false);
  const running = useRef<{ queryId: string; leaving: AbortController } | null>(null);

  const note = (entry: Omit<QueryEntry, 'at'>) => {
    const all = withEntry(recall(database.id).history, { ...entry, at: new Date().toISOString() });
    setHistory(remember(database.id, { history: all }).history);
  };

  /** How it ended, with nothing for a failure where it was done; null where it was not even begun. */
  const run = async (statement: string, readOnly: boolean): Promise<{ failure: unknown } | null> => {
    if (running.current || statement.trim() === '') return null;
    const excess = tooLong(statement, LONGEST_STATEMENT);
    if (excess !== '') {
      setOutcome({ ...nothing, error: new Refusal(excess) });
      return null;
    }
    const mine = { queryId: newQueryId(), leaving: new AbortController() };
    running.current = mine;
    setRunning(true);
    // What the one before came to is not what this one does.
    setOutcome(nothing);
    try {
      const body = { ...addressed, statement, readOnly, queryId: mine.queryId };
      const result = await browserSession.call('databases.explorer.query', { body, signal: mine.leaving.signal });
      const words = describeResult(result, { statement, readOnly });
      setOutcome({ result, words, error: null });
      note({ statement, outcome: words, isFailure: false });
      return { failure: null };
    } catch (failure) {
      const error = explainRefusal(failure, { statement, canChange });
      const isLeft = mine.leaving.signal.aborted;
      setOutcome({ ...nothing, error: isLeft ? null : error });
      note({ statement, outcome: isLeft ? 'cancelled' : describeError(error).message, isFailure: true });
      return { failure };
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

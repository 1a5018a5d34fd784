import { useEffect, useEffectEvent, useState } from 'react';
import type { OutputOf } from '../../../lib/api-types.ts';
import { type Loaded, useCall } from '../../../lib/use-call.ts';
import type { RowsRequest } from './rows-request.ts';

type Rows = OutputOf<'databases.explorer.rows'>;

interface AskedRows extends Loaded<Rows> {
  /** What is there answers an earlier question; the answer to this one is on its way. */
  isWaiting: boolean;
  /** What was asked for last: where the page is, or is about to be. */
  wanted: RowsRequest;
  /** What was asked for in vain: what is there is what was asked for before. */
  refused: RefusedRows | null;
  /** Shows other rows, unless they are refused. */
  ask: (request: RowsRequest) => void;
  /** Whoever changes what was refused need not be told of it any longer. */
  forgetRefused: () => void;
}

export interface RefusedRows {
  request: RowsRequest;
  error: unknown;
}

interface RowsTable {
  targetOrganisationId: string;
  databaseId: string;
  schema: string;
  table: string;
}

interface RowsOptions {
  /** What the page is at. */
  request: RowsRequest;
  /** Called once others are there: the page is at those then. */
  onShown: (request: RowsRequest) => void;
}

const PAGE_SIZE = 50;

/**
 * Rows beside the question that they answer: those of another one are never shown as if they were of this. A question
 * that is refused leaves those that are there, and one can go on from them.
 */
export function useRows(inTable: RowsTable, { request, onShown }: RowsOptions): AskedRows {
  const [tried, setTried] = useState<{ from: RowsRequest; request: RowsRequest } | null>(null);
  const [held, setHeld] = useState<{ rows: Rows; question: string } | null>(null);
  const [failure, setFailure] = useState<{ error: unknown; question: string } | null>(null);
  const [refused, setRefused] = useState<RefusedRows | null>(null);
  // Whoever has gone elsewhere meanwhile does not want it any more.
  const next = tried?.from === request ? tried.request : null;
  const wanted = next ?? request;
  const body = bodyOf(inTable, wanted);
  const question = JSON.stringify(body);
  const { data, error, reload } = useCall('databases.explorer.rows', { body });

  const [told, setTold] = useState({ data, error });
  // An answer that was overtaken never comes, so what comes answers what is asked now.
  if (told.data !== data || told.error !== error) {
    setTold({ data, error });
    if (data !== undefined && data !== told.data) {
      setHeld({ rows: data, question });
      setFailure(null);
    }
    if (error !== undefined && error !== told.error) {
      if (next && held) {
        setRefused({ request: next, error });
        setTried(null);
      } else setFailure({ error, question });
    }
  }

  const isAnswered = held?.question === question;
  const hasFailed = failure?.question === question;
  const isTaken = next !== null && isAnswered;
  const show = useEffectEvent(() => next && onShown(next));
  useEffect(() => {
    if (isTaken) show();
  }, [isTaken]);
  return {
    wanted,
    refused,
    forgetRefused: () => setRefused(null),
    ask(other) {
      setRefused(null);
      setTried({ from: request, request: other });
    },
    reload() {
      setRefused(null);
      reload();
    },
    isWaiting: held !== null && !isAnswered && !hasFailed,
    ...(held && (isAnswered || !hasFailed) && { data: held.rows }),
    ...(hasFailed && { error: failure.error }),
  };
}

/** Always in the same order, since it is by its text that a question is told from others. */
function bodyOf(inTable: RowsTable, { page, sortColumn, sortOrder, filters }: RowsRequest) {
  const wanted = filters.map(({ column, operator, value }) => ({ column, operator, value }));
  return { ...inTable, page, sortColumn, sortOrder, filters: wanted, limit: PAGE_SIZE };
}

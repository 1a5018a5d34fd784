import { useState } from 'react';
import type { OutputOf } from '../../../lib/api-types.ts';
import { type Loaded, useCall } from '../../../lib/use-call.ts';
import type { RowsRequest } from './rows-request.ts';

type Rows = OutputOf<'databases.explorer.rows'>;

interface AskedRows extends Loaded<Rows> {
  /** What is there answers an earlier question; the answer to this one is on its way. */
  isWaiting: boolean;
}

interface RowsTable {
  targetOrganisationId: string;
  databaseId: string;
  schema: string;
  table: string;
}

const PAGE_SIZE = 50;

/**
 * Rows beside the question that they answer: those of another one are never shown as if they were of this, and neither
 * is the reason why another one was refused.
 */
export function useRows(inTable: RowsTable, request: RowsRequest): AskedRows {
  const body = { ...inTable, ...request, filters: [...request.filters], limit: PAGE_SIZE };
  const { data, error, reload } = useCall('databases.explorer.rows', { body });
  const question = JSON.stringify(body);
  const [told, setTold] = useState({ data, dataOf: question, error, errorOf: question });
  // An answer that was overtaken never comes, so what comes answers what is asked now.
  if (told.data !== data || told.error !== error) {
    setTold({
      data,
      dataOf: told.data === data ? told.dataOf : question,
      error,
      errorOf: told.error === error ? told.errorOf : question,
    });
  }
  const isAnswered = told.dataOf === question;
  const isRefused = error !== undefined && told.errorOf === question;
  return {
    reload,
    isWaiting: data !== undefined && !isAnswered && !isRefused,
    ...(data !== undefined && (isAnswered || !isRefused) && { data }),
    ...(isRefused && { error }),
  };
}

import type { DatabaseStatus } from '@lilac/contract/states';
import type { DatabaseRow } from '../../../db/schema.ts';
import { isKept, type Situation } from './decide.ts';

/** How a database is, as far as its servers are concerned. */
export interface Condition {
  status: Extract<DatabaseStatus, 'healthy' | 'degraded' | 'failed'>;
  error: string | null;
}

const DOWN = 'Its server is down and is being started again.';
const LOST = 'Its server is down and does not start, though it was tried many times.';
const SILENT = 'Its server does not answer.';
const FULL = 'Its storage is nearly used up';
const ALONE = 'Its second server is not ready; one is being made. Until then it runs without a spare.';

/** So many failed starts, and nobody should wait for the next one to do it. */
const FAILED_AFTER = 10;

export interface Circumstances {
  situation: Situation;
  /** What the server said when it last failed to start. */
  words: string | null;
  /** It has left several questions in a row unanswered. */
  isSilent: boolean;
}

/** What is to be written down; null: nothing, the row is right, or it is not ours to say. */
export function conditionOf(row: DatabaseRow, circumstances: Circumstances): Condition | null {
  const isSettled = row.status === 'healthy' || row.status === 'degraded' || row.status === 'failed';
  if (!isSettled || !isKept(circumstances.situation)) return null;
  const wanted = judge(row, circumstances);
  if (wanted.status === row.status && wanted.error === row.error) return null;
  // Why a change failed, or what else a job had to say, stays until there is something to say of the servers.
  return wanted.status === 'healthy' && row.error !== null && !isKeepers(row.error) ? null : wanted;
}

function judge(row: DatabaseRow, { situation, words, isSilent }: Circumstances): Condition {
  const { primary, standby, isHa } = situation;
  if (!primary.isRunning) {
    const isLost = primary.failures >= FAILED_AFTER;
    const error = [isLost ? LOST : DOWN, words ?? []].flat().join(' ');
    return { status: isLost ? 'failed' : 'degraded', error };
  }
  if (isSilent) return { status: 'degraded', error: SILENT };
  if (row.is_full) {
    const error = `${FULL} (${row.storage_gb} GB): writes are refused, reading goes on. Grow its storage, or drop or truncate tables through the explorer.`;
    return { status: 'degraded', error };
  }
  if (isHa && !(standby?.isInStep && standby.isRunning)) return { status: 'degraded', error: ALONE };
  return { status: 'healthy', error: null };
}

const isKeepers = (error: string): boolean =>
  [DOWN, LOST, SILENT, FULL, ALONE].some((words) => error.startsWith(words));

import type { LogRows } from './rows.ts';

/** The height of `.log-line`. */
export const ROW_PX = 20;
/** Rows beyond the edges, so that a quick scroll finds them there. */
const MORE_ROWS = 20;

export interface Shown {
  /** Indexes of lines; the last is not among them. */
  first: number;
  last: number;
  /** How far down the first is. */
  topPx: number;
}

interface Sight {
  /** How far it is scrolled, where it does not follow the end. */
  topPx: number;
  heightPx: number;
  /** Where the end will be is known before it is scrolled to: many lines at once leave no picture empty. */
  isFollowing: boolean;
}

/** The lines to draw. */
export function shownOf(rows: LogRows, { topPx, heightPx, isFollowing }: Sight): Shown {
  if (rows.total === 0) return { first: 0, last: 0, topPx: 0 };
  const inSight = Math.ceil(heightPx / ROW_PX);
  const row = isFollowing ? Math.max(0, rows.total - inSight) : Math.floor(topPx / ROW_PX);
  const first = rows.lineAt(row - MORE_ROWS);
  const last = rows.lineAt(row + inSight + MORE_ROWS) + 1;
  return { first, last, topPx: rows.before(first) * ROW_PX };
}

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
  /** Of the first line the rows from this one, of the last those before this one: the others are far off. */
  firstRow: number;
  endRow: number;
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
  if (rows.total === 0) return { first: 0, last: 0, topPx: 0, firstRow: 0, endRow: 0 };
  const inSight = Math.ceil(heightPx / ROW_PX);
  const row = isFollowing ? Math.max(0, rows.total - inSight) : Math.floor(topPx / ROW_PX);
  const [from, to] = [row - MORE_ROWS, row + inSight + MORE_ROWS];
  const [first, last] = [rows.lineAt(from), rows.lineAt(to) + 1];
  return {
    first,
    last,
    topPx: rows.before(first) * ROW_PX,
    firstRow: Math.max(0, from - rows.before(first)),
    // As long as it is drawn to its end it need not be drawn anew.
    endRow: to + 1 < rows.before(last) ? to + 1 - rows.before(last - 1) : Number.POSITIVE_INFINITY,
  };
}

/** Columns beyond the edges, and the steps in which they come and go. */
export const STEP_COLUMNS = 64;

export interface Columns {
  from: number;
  to: number;
}

/** The columns to draw of lines that are not wrapped. */
export function columnsNear(step: number, inSight: number): Columns {
  return { from: Math.max(0, step - 1) * STEP_COLUMNS, to: (step + 2) * STEP_COLUMNS + inSight };
}

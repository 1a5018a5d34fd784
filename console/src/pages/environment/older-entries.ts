/** Which entries are shown: so many, from there on. */
export interface Shown {
  limit: number;
  offset: number;
}

const STEP = 25;
/** As many as one answer holds. */
export const MOST = 100;

export const newest: Shown = { limit: STEP, offset: 0 };

/** More of them beside those that are there, and where one answer cannot hold more, those behind them. */
export function older({ limit, offset }: Shown): Shown {
  return limit < MOST ? { limit: Math.min(MOST, limit + STEP), offset } : { limit: MOST, offset: offset + MOST };
}

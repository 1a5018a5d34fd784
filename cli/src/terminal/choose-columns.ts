export interface Column {
  /** Whether there is nothing in any row. */
  isEmpty: boolean;
  /** Whether people look for it: then it may be cut to its least width before it is left out. */
  isImportant: boolean;
  least: number;
  most: number;
  /** What it was given. */
  width: number;
}

const GAP = 2;

/**
 * The columns that a line has room for, at least one, in their order, which is that of their importance.
 * Empty ones come last whatever they are. One that does not fit leaves its room to those after it.
 */
export function chooseColumns<T extends Column>(columns: readonly T[], width: number): { chosen: T[]; leftOut: T[] } {
  const widths = new Map<T, number>();
  let left = width + GAP;
  const take = (column: T, needed: number) => {
    if (widths.size > 0 && needed + GAP > left) return;
    widths.set(column, needed);
    left -= needed + GAP;
  };
  const full = columns.filter(({ isEmpty }) => !isEmpty);
  for (const column of full) if (column.isImportant) take(column, column.least);
  for (const column of widths.keys()) left -= widen(widths, column, left);
  for (const column of full) if (!column.isImportant) take(column, column.most);
  for (const column of columns) if (column.isEmpty) take(column, column.most);
  const isChosen = (column: T) => widths.has(column);
  return {
    chosen: columns.filter(isChosen).map((column) => ({ ...column, width: widths.get(column)! })),
    leftOut: columns.filter((column) => !isChosen(column)),
  };
}

/** Gives a column what it lacks, as far as there is room; answers how much. */
function widen<T extends Column>(widths: Map<T, number>, column: T, left: number): number {
  const given = Math.max(0, Math.min(column.most - widths.get(column)!, left));
  widths.set(column, widths.get(column)! + given);
  return given;
}

import type { Cell } from '../explorer.ts';
import { LARGEST_ANSWER, LONGEST_CELL } from './limits.ts';

/** Keeps as many rows as an answer may have. */
export interface RowCollector {
  add(row: Cell[]): void;
  /** Rows have been left out. */
  isFull(): boolean;
  rows: Cell[][];
}

export function createRowCollector(maxRows: number): RowCollector {
  const rows: Cell[][] = [];
  let size = 0;
  let isCut = false;
  return {
    rows,
    add(row) {
      if (rows.length >= maxRows || (rows.length > 0 && size > LARGEST_ANSWER)) {
        isCut = true;
        return;
      }
      rows.push(row);
      size += row.reduce<number>((sum, cell) => sum + sizeOf(cell), 0);
    },
    isFull: () => isCut,
  };
}

function sizeOf(cell: Cell): number {
  // With its quotes: also an empty one takes some room.
  if (typeof cell === 'string') return cell.length + 2;
  // Lists and objects were read from a text no longer than this; most are much shorter.
  return typeof cell === 'object' && cell !== null ? Math.min(JSON.stringify(cell).length, LONGEST_CELL) : 8;
}

export type Cell = string | number | boolean | null | unknown[] | Record<string, unknown>;

export interface CellLook {
  /** What tells it apart from a text that looks the same. */
  kind: 'null' | 'empty' | 'binary' | 'number' | 'json' | 'text';
  text: string;
  /** Only its beginning has come. */
  isCut: boolean;
}

/** As the platform ends a value that was too long to be sent. */
const CUT = '… (cut)';
const SHOWN_LENGTH = 160;
const binaryTypes = /^(bytea|(tiny|medium|long)?blob|(var)?binary)\b/i;

export const isBinary = (type: string): boolean => binaryTypes.test(type);

export const isCut = (value: Cell): boolean => typeof value === 'string' && value.endsWith(CUT);

/** How a value is shown in a table. */
export function lookOf(value: Cell, type: string): CellLook {
  if (value === null) return { kind: 'null', text: 'NULL', isCut: false };
  if (value === '') return { kind: 'empty', text: 'empty', isCut: false };
  if (typeof value === 'string' && isBinary(type)) return binaryLook(value);
  const kind = typeof value === 'object' ? 'json' : typeof value === 'number' ? 'number' : 'text';
  const cut = isCut(value);
  return { kind, text: shorten(cut ? (value as string).slice(0, -CUT.length) : textOf(value)), isCut: cut };
}

/** All of it, as one edits it. */
export function textOf(value: Cell): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function binaryLook(value: string): CellLook {
  const cut = isCut(value);
  const bytes = Math.floor((value.length - (cut ? CUT.length : 0) - 2) / 2);
  const count = `${cut ? 'more than ' : ''}${bytes} byte${bytes === 1 ? '' : 's'}`;
  return { kind: 'binary', text: `${value.slice(0, 18)}${bytes > 8 ? '…' : ''} (${count})`, isCut: cut };
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}…` : line;
}

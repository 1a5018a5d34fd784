export type Cell = string | number | boolean | null | unknown[] | Record<string, unknown>;

interface CellLook {
  /** What tells it apart from a text that looks the same. */
  kind: 'null' | 'empty' | 'binary' | 'number' | 'json' | 'text';
  text: string;
  /** Only its beginning has come. */
  isCut: boolean;
}

/** As the platform ends a value that was too long to be sent. */
const CUT = '… (cut)';
/** Characters that the platform sends of a value at most, besides that: a shorter text ends so of its own. */
const LONGEST_WHOLE = 65_536;
const SHOWN_LENGTH = 160;
const binaryTypes = /^(bytea|(tiny|medium|long)?blob|(var)?binary)\b/i;

export const isBinary = (type: string): boolean => binaryTypes.test(type);

/** Of a single one: neither of a list of them, nor of a type that is called alike. */
export const isBoolean = (type: string): boolean => /^bool(ean)?$/i.test(type);

export const isCut = (value: Cell): boolean =>
  typeof value === 'string' && value.length > LONGEST_WHOLE && value.endsWith(CUT);

/** How a value is shown in a table: in a line, or all of it that has come. */
export function lookOf(value: Cell, type: string, isWhole = false): CellLook {
  if (value === null) return { kind: 'null', text: 'NULL', isCut: false };
  if (value === '') return { kind: 'empty', text: 'empty', isCut: false };
  if (typeof value === 'string' && isBinary(type)) return binaryLook(value, isWhole);
  const kind = typeof value === 'object' ? 'json' : typeof value === 'number' ? 'number' : 'text';
  const cut = isCut(value);
  const text = cut ? (value as string).slice(0, -CUT.length) : textOf(value);
  return { kind, text: isWhole ? text : shorten(text), isCut: cut };
}

/** All of it, as one edits it. */
export function textOf(value: Cell): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function binaryLook(value: string, isWhole: boolean): CellLook {
  const cut = isCut(value);
  const bytes = Math.floor((value.length - (cut ? CUT.length : 0) - 2) / 2);
  const count = `${cut ? 'more than ' : ''}${bytes} byte${bytes === 1 ? '' : 's'}`;
  const shown = isWhole ? value.slice(0, 2 + 2 * bytes) : `${value.slice(0, 18)}${bytes > 8 ? '…' : ''}`;
  return { kind: 'binary', text: `${shown} (${count})`, isCut: cut };
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > SHOWN_LENGTH ? `${line.slice(0, SHOWN_LENGTH)}…` : line;
}

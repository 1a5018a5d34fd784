import mysql, { type TypedParameterValue } from 'mysql2';
import { bytesToText, cutText, integerCell, jsonCell, textToBytes } from '../../explore/cells.ts';
import { StatementRefused, type Cell } from '../../explorer.ts';
import { isJson, TYPE, type Field } from './fields.ts';

/** What arrives of a value as JSON: everything that JSON has no like of becomes text. */
export function toCell(value: unknown, field: Field): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return isJson(field) ? jsonCell(value) : textCell(value, field);
  if (typeof value === 'number') return field.columnType === TYPE.float ? asWritten(value) : value;
  if (Buffer.isBuffer(value)) return field.columnType === TYPE.bit ? bitCell(value) : bytesToText(value);
  return value as Cell;
}

const textCell = (text: string, { columnType }: Field): Cell =>
  columnType === TYPE.bigint ? integerCell(text) : cutText(text);

const bitCell = (bytes: Buffer): Cell =>
  integerCell(BigInt(bytes.length > 0 ? `0x${bytes.toString('hex')}` : 0).toString());

/** A `float` has fewer digits than the number that it arrives as. */
function asWritten(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

export type Parameter = string | number | boolean | Buffer | TypedParameterValue | null;

export const toParameter = (value: Cell): Parameter =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

export interface ColumnKind {
  name: string;
  isNumber: boolean;
  isBytes: boolean;
  isBits: boolean;
}

/** A value for a column; bytes and bits are written as they are read. */
export function toColumn(value: Cell, column: ColumnKind): Parameter {
  if (column.isBits && value !== null) return bitsOf(value, column);
  const bytes = column.isBytes && typeof value === 'string' ? textToBytes(value) : null;
  return bytes ?? toParameter(value);
}

const MOST_BITS = 2n ** 64n - 1n;

/** As a whole number: of a text, the server would take the letters for the bits. */
function bitsOf(value: Cell, { name }: ColumnKind): Parameter {
  const text = typeof value === 'string' ? value.trim() : typeof value === 'object' ? '' : `${Number(value)}`;
  if (/^\d{1,100}$/.test(text) && BigInt(text) <= MOST_BITS)
    return mysql.TypedParameter.LONGLONG.unsigned(BigInt(text));
  throw new StatementRefused(
    `The column ${JSON.stringify(name)} takes bits, written as a whole number; ${JSON.stringify(value)} is not one.`,
  );
}

const NUMBER = /^\s*[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i;

/** A value that a column is compared with: the server would take any text for the number that it begins with, or zero. */
export function toCompared(value: Cell, column: ColumnKind): Parameter {
  if (column.isNumber && (typeof value === 'string' ? !NUMBER.test(value) : typeof value === 'object')) {
    throw new StatementRefused(
      `The column ${JSON.stringify(column.name)} takes numbers; ${JSON.stringify(value)} is not a number.`,
    );
  }
  return toColumn(value, column);
}

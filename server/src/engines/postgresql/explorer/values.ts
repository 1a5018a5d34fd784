import pg from 'pg';
import { cutText, integerCell, jsonCell } from '../../explore/cells.ts';
import { LONGEST_CELL } from '../../explore/limits.ts';
import type { Cell } from '../../explorer.ts';

/** Of which type a value is that arrives as text. */
export interface ValueType {
  id: number;
  /** Of the elements, where it is an array whose text has commas between them. */
  elementId: number | null;
}

const { builtins } = pg.types;
const BOOLEAN: number = builtins.BOOL;
const WHOLE_NUMBERS: readonly number[] = [builtins.INT2, builtins.INT4, builtins.INT8, builtins.OID];
const FLOATING: readonly number[] = [builtins.FLOAT4, builtins.FLOAT8];
const JSON_TYPES: readonly number[] = [builtins.JSON, builtins.JSONB];

type Elements = (string | null | Elements)[];
/** Of `text[]`, which the library's list of types leaves out. */
const TEXT_ARRAY = 1009 as typeof builtins.TEXT;
const parseArray = pg.types.getTypeParser(TEXT_ARRAY) as (text: string) => Elements;

/** The server's text of a value as JSON: everything that JSON has no like of stays text. */
export function toCell(text: string | null, { id, elementId }: ValueType): Cell {
  if (text === null) return null;
  if (text.length > LONGEST_CELL) return cutText(text);
  if (elementId !== null && text.startsWith('{')) return elements(parseArray(text), elementId);
  if (id === BOOLEAN) return text === 't';
  if (WHOLE_NUMBERS.includes(id)) return integerCell(text);
  if (FLOATING.includes(id)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (JSON_TYPES.includes(id)) return jsonCell(text);
  return text;
}

const elements = (list: Elements, id: number): Cell =>
  list.map((each) => (Array.isArray(each) ? elements(each, id) : elementOf(each, id)));

/** A list within JSON stays text: one within an array is a further dimension of it. */
function elementOf(text: string | null, id: number): Cell {
  const cell = toCell(text, { id, elementId: null });
  return Array.isArray(cell) ? text : cell;
}

/** A value as the server reads it; strings are taken for the text of whatever is asked for. */
export function toParameter(value: Cell, typeId: number): string | null {
  if (value === null) return null;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && !JSON_TYPES.includes(typeId)) return arrayText(value);
  return JSON.stringify(value);
}

function arrayText(list: readonly unknown[]): string {
  const texts = list.map((each) => {
    if (each === null || each === undefined) return 'NULL';
    if (Array.isArray(each)) return arrayText(each);
    const text = typeof each === 'string' ? each : JSON.stringify(each);
    return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  });
  return `{${texts.join(',')}}`;
}

/** Rows as the server writes them. */
export const AS_TEXT = { getTypeParser: () => (text: string) => text } as pg.CustomTypesConfig;

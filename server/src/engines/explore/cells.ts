import type { Cell } from '../explorer.ts';
import { LONGEST_CELL } from './limits.ts';

/** Seen at the end of a cell that is not whole. */
const CUT = '… (cut)';

export function cutText(text: string): string {
  if (text.length <= LONGEST_CELL) return text;
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(LONGEST_CELL - 1));
  return text.slice(0, isPair ? LONGEST_CELL - 1 : LONGEST_CELL) + CUT;
}

/** Bytes as PostgreSQL writes them, for every engine. */
export function bytesToText(bytes: Uint8Array): string {
  const most = LONGEST_CELL / 2;
  const hex = Buffer.from(bytes.subarray(0, most)).toString('hex');
  return bytes.length > most ? `\\x${hex}${CUT}` : `\\x${hex}`;
}

/** Null for a text that is no such writing of bytes. */
export function textToBytes(text: string): Buffer | null {
  return /^\\x([0-9a-f]{2})*$/i.test(text) ? Buffer.from(text.slice(2), 'hex') : null;
}

/** A number where JSON holds it exactly. */
export function integerCell(text: string): Cell {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** Objects and lists arrive as such; what JSON.parse would change, and lone values, as their text. */
export function jsonCell(text: string): Cell {
  if (text.length > LONGEST_CELL || !/^\s*[[{]/.test(text)) return cutText(text);
  let isExact = true;
  const check = (_key: string, value: unknown, { source }: { source?: string }) => {
    if (typeof value === 'number' && source !== undefined && significant(source) !== significant(String(value))) {
      isExact = false;
    }
    return value;
  };
  try {
    const value = JSON.parse(text, check as Parameters<typeof JSON.parse>[1]) as Cell;
    return isExact ? value : text;
  } catch {
    return text;
  }
}

/** The digits that make the difference: `-1.50` and `-15e-1` have the same. */
function significant(number: string): string {
  const [digits = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = digits.replace(/^-/, '').split('.');
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  let end = all.length;
  while (all[end - 1] === '0') end--;
  const kept = all.slice(0, end);
  const power = Number(exponent) - fraction.length + (all.length - kept.length);
  return kept === '' ? '0' : `${digits.startsWith('-') ? '-' : ''}${kept}e${power}`;
}

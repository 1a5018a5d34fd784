import { plainText } from './printable.ts';

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value in one line. */
export function renderCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(renderCell).join(', ') || '-';
  if (typeof value !== 'string') return JSON.stringify(value);
  return isTime(value) ? `${renderTime(value)} UTC` : plainText(value);
}

/** A time as the API writes it. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z$/.test(value);
}

/** `2026-11-15 12:00`, in UTC: a form that `lilac logs --since` takes back. */
export function renderTime(time: string, { withSeconds = false } = {}): string {
  return time.slice(0, withSeconds ? 19 : 16).replace('T', ' ');
}

/** What people write in capitals. */
const ABBREVIATIONS = /\b(?:api|cpu|gb|ha|ip|mb|sha|url)\b/g;

/** A name of the API in words: `created_at` is "Created at", `ha_enabled` is "HA enabled". */
export function titleOf(key: string): string {
  const words = key
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

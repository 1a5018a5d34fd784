import { formatSize } from './format-size.ts';

/** What a number counts. */
export type Unit = 'percent' | 'bytes' | 'bytesPerSecond' | 'count' | 'ms';

const small = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A number with its unit, as short as it can be read. */
export function formatQuantity(value: number, unit: Unit): string {
  if (unit === 'bytes') return formatSize(value);
  if (unit === 'bytesPerSecond') return `${formatSize(value)}/s`;
  if (unit === 'ms') return formatMs(value);
  const text = Math.abs(value) < 100 ? small.format(value) : compact.format(value);
  return unit === 'percent' ? `${text}%` : text;
}

/** "0.8 ms", "12 ms", "1.5 s". */
function formatMs(ms: number): string {
  if (ms >= 999.5) return `${small.format(Math.round(ms / 100) / 10)} s`;
  return `${ms < 9.95 ? small.format(Math.round(ms * 10) / 10) : Math.round(ms)} ms`;
}

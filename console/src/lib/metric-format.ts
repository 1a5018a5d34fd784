import { formatSize } from '@lilac/contract/format-size';
import { formatCount } from './format-count.ts';

/** What a number counts; `average` is of what is counted, over some time. */
export type Unit = 'percent' | 'bytes' | 'bytesPerSecond' | 'count' | 'average' | 'ms';

const small = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });
const tenths = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** A number with its unit, as short as it can be read. */
export function formatQuantity(value: number, unit: Unit): string {
  if (unit === 'bytes') return formatSize(value);
  if (unit === 'bytesPerSecond') return `${formatSize(value)}/s`;
  if (unit === 'ms') return formatMs(value);
  if (unit === 'average' && value < 100) return formatAverage(value);
  const text = Math.abs(value) < 100 ? small.format(value) : formatCount(value);
  return unit === 'percent' ? `${text}%` : text;
}

/** "2", "0.6": what was there for a moment only is not nothing. */
function formatAverage(value: number): string {
  return value > 0 && value < 0.05 ? 'under 0.1' : tenths.format(value);
}

/** "0.8 ms", "12 ms", "1.5 s". */
function formatMs(ms: number): string {
  if (ms >= 999.5) return `${small.format(Math.round(ms / 100) / 10)} s`;
  return `${ms < 9.95 ? small.format(Math.round(ms * 10) / 10) : Math.round(ms)} ms`;
}

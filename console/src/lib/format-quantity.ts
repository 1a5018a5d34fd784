/** What a number counts. */
export type Unit = 'percent' | 'bytes' | 'bytesPerSecond' | 'count' | 'ms';

const small = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const sizes = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** "1.5 GB": each size is 1,024 of the one before, as memory and storage are given. */
export function formatBytes(bytes: number): string {
  let rest = Math.abs(bytes);
  let size = 0;
  // What would be rounded to 1,024 of one size is 1 of the next.
  while (rest >= 1023.95 && size < sizes.length - 1) {
    rest /= 1024;
    size++;
  }
  const digits = size === 0 || rest >= 99.95 ? 0 : 1;
  return `${bytes < 0 ? '-' : ''}${rest.toFixed(digits).replace(/\.0$/, '')} ${sizes[size]}`;
}

/** A number with its unit, as short as it can be read. */
export function formatQuantity(value: number, unit: Unit): string {
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'bytesPerSecond') return `${formatBytes(value)}/s`;
  const text = Math.abs(value) < 100 ? small.format(value) : compact.format(value);
  if (unit === 'percent') return `${text}%`;
  return unit === 'ms' ? `${text} ms` : text;
}

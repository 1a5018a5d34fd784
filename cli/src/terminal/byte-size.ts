const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const STEP = 1024;
/** From here on a decimal tells nobody anything. */
const LARGE = 99.95;

/** As people read it: `912 B`, `1.5 MiB`. */
export function byteSize(bytes: number): string {
  let [size, unit] = [bytes, 0];
  for (; size >= STEP && unit < UNITS.length - 1; unit++) size /= STEP;
  const isWhole = unit === 0 || size >= LARGE;
  return `${isWhole ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

/** For logs: `1 file, 980 B`, `1,204 files, 3.4 MB`. */
export function describeFiles(count: number, bytes: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}, ${describeBytes(bytes)}`;
}

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** By thousands, as the tools count whose output stands beside it. */
export function describeBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit > 0 && size < 99.95 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

import { formatSize } from '@lilac/contract/format-size';

/** For logs: `1 file, 980 bytes`, `1,204 files, 3.4 MB`. */
export function describeFiles(count: number, bytes: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}, ${describeBytes(bytes)}`;
}

/** As the console says it of the same archive. */
export const describeBytes = formatSize;

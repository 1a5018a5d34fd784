/** As what a file is sent: compressed or plain; null for what is no dump by its name. */
export function dumpTypeOf(fileName: string): 'application/gzip' | 'application/sql' | null {
  if (/\.gz$/i.test(fileName)) return 'application/gzip';
  return /\.sql$/i.test(fileName) ? 'application/sql' : null;
}

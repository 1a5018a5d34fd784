import type { Severity } from '@lilac/contract/states';

/** `127.0.0.1 - - [15/Nov/2026 12:00:00] "GET / HTTP/1.1" 200 -`, as web servers have written them always. */
const COMMON = /"[A-Z]{3,8} \S+ HTTP\/\d(?:\.\d)?" (\d{3})\b/;
/** `[GIN] 2026/01/01 - 12:00:00 | 500 | …` */
const BARRED = /^(?:\[GIN\] )?[\d/:. -]+\| (\d{3}) \|/;

/** A request that a program writes down by itself: as in the platform's own access log, only 5xx stands out. */
export function statedInRequest(line: string): Severity | null {
  const status = COMMON.exec(line)?.[1] ?? BARRED.exec(line)?.[1];
  if (status === undefined) return null;
  return status.startsWith('5') ? 'ERROR' : 'INFO';
}

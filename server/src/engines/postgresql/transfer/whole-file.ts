import type { DumpSummary } from '../../transfer.ts';

export const DUMP_BEGINS = '-- Lilac dump of a PostgreSQL database\n\n';

export const dumpEnds = ({ tables, rows }: DumpSummary): string =>
  `\n-- Lilac dump complete: tables=${tables} rows=${rows}\n`;

/** How files begin that say at their end that this is it. */
const MARKED = [
  { begins: /^-- Lilac dump of /, ends: /^-- Lilac dump complete: /m },
  { begins: /^--\r?\n-- PostgreSQL database dump\r?\n/, ends: /^-- PostgreSQL database dump complete/m },
  {
    begins: /^--\r?\n-- PostgreSQL database cluster dump\r?\n/,
    ends: /^-- PostgreSQL database cluster dump complete/m,
  },
];

/** Enough to see the mark. */
export const MARK_BYTES = 400;

/** Whether a file lacks its end, by its first and last characters. */
export function isCutOff(head: string, tail: string): boolean {
  const mark = MARKED.find(({ begins }) => begins.test(head));
  return mark !== undefined && !mark.ends.test(tail);
}

/** Files that hold no SQL text; null for what may be some. */
export function whatElse(head: Buffer): string | null {
  if (head.subarray(0, 5).toString('latin1') === 'PGDMP') {
    return "it is in pg_dump's own format: write it as text, with pg_dump --format=plain";
  }
  if (head[0] === 0x1f && head[1] === 0x8b) return 'it is compressed twice: compress it once with gzip';
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide) return 'it is in UTF-16: write it in UTF-8, with the option --file of pg_dump instead of ">"';
  return null;
}

import type { DumpSummary } from '../../transfer.ts';

export const DUMP_BEGINS = '-- Lilac dump of a PostgreSQL database\n\n';

export const dumpEnds = ({ tables, rows }: DumpSummary): string =>
  `\n-- Lilac dump complete: tables=${tables} rows=${rows}\n`;

/** How files begin that say at their end that this is it. */
export const DUMP_MARKS = [
  { begins: /^-- Lilac dump of /, ends: /^-- Lilac dump complete: /m },
  { begins: /^--\r?\n-- PostgreSQL database dump\r?\n/, ends: /^-- PostgreSQL database dump complete/m },
  {
    begins: /^--\r?\n-- PostgreSQL database cluster dump\r?\n/,
    ends: /^-- PostgreSQL database cluster dump complete/m,
  },
];

import type { DumpSummary } from '../../transfer.ts';

export const DUMP_BEGINS = '-- Lilac dump of a MySQL database\n\n';

export const dumpEnds = ({ tables, rows }: DumpSummary): string =>
  `\n-- Lilac dump complete: tables=${tables} rows=${rows}\n`;

/** How files begin that say at their end that this is it. Others may leave out what they say. */
export const DUMP_MARKS = [{ begins: /^-- Lilac dump of /, ends: /^-- Lilac dump complete: /m }];

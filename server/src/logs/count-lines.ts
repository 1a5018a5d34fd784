import { vitals } from '../lib/vitals.ts';
import type { LogBatch } from './batch-columns.ts';

const stored = vitals.counter('lilac_log_lines_stored_total', "Lines of environments' logs that were stored.");
const dropped = vitals.counter('lilac_log_lines_dropped_total', 'Lines that were dropped: too many, or no room.');

/** To be told once they are committed: what was rolled back comes again. */
export function countLines(batches: readonly LogBatch[], gone: ReadonlySet<string>): void {
  for (const { environmentId, chunks, droppedLines = 0 } of batches) {
    if (gone.has(environmentId)) continue;
    for (const { lineCount } of chunks) stored.value += lineCount;
    dropped.value += droppedLines;
  }
}

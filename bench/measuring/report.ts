import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
// Whatever is measured is put away when somebody interrupts it.
import './interruption.ts';
import { isBad, lineOf, missingLine, textOf, type Line, type Measurement } from './line.ts';

/** The program that is run names the benchmark. */
const bench = basename(process.argv[1] ?? '', '.ts');

// What was told until then is measured; that there was to be more must not be lost.
process.once('uncaughtExceptionMonitor', () =>
  reportMissing('the rest', `it broke off; see why with npm run bench -- ${bench}`),
);

/**
 * Prints what was measured as one line; who misses a bar ends with an exit code. `npm run bench` collects the lines.
 */
export function report(measured: Measurement): void {
  tell(lineOf(bench, measured));
}

/** Says so, and what to do, where something could not be measured. */
export function reportMissing(name: string, advice: string): void {
  tell(missingLine(bench, name, advice));
}

function tell(line: Line): void {
  console.log(textOf(line));
  const { BENCH_LINES: file } = process.env;
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
  if (isBad(line)) process.exitCode = 1;
}

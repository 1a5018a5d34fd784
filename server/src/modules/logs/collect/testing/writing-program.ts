import { openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Writes the numbers from 1 on as lines into both files until it is asked to end, as an instance does that writes
 * much: in parts that end anywhere, and the last line without its end. Then it says how many they were.
 */
const [stdout = '', stderr = ''] = process.argv.slice(2);
const files = [openSync(stdout, 'a'), openSync(stderr, 'a')];
const PADDING = 'x'.repeat(40);
const LINES_AT_ONCE = 100;

let isToEnd = false;
process.on('SIGTERM', () => (isToEnd = true));

let written = 0;
for (let isLast = false; !isLast;) {
  isLast = isToEnd;
  const lines = Array.from({ length: LINES_AT_ONCE }, (_, index) => `${written + index + 1} ${PADDING}`);
  const text = lines.join('\n') + (isLast ? '' : '\n');
  for (const file of files) {
    const cut = Math.floor(Math.random() * text.length);
    writeSync(file, text.slice(0, cut));
    writeSync(file, text.slice(cut));
  }
  written += LINES_AT_ONCE;
  await delay(5);
}
process.stdout.write(`${written}\n`);

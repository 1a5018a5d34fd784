import { openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Writes the numbers from 1 on as lines into both files, as an instance does that writes much: in parts that
 * end anywhere, with a breath now and then, and the last line without its end.
 */
const [stdout = '', stderr = '', last = '0', pauseMs = '5'] = process.argv.slice(2);
const files = [openSync(stdout, 'a'), openSync(stderr, 'a')];
const PADDING = 'x'.repeat(40);
const LINES_AT_ONCE = 400;

for (let number = 1; number <= Number(last); number += LINES_AT_ONCE) {
  const end = Math.min(Number(last), number + LINES_AT_ONCE - 1);
  const lines = Array.from({ length: end - number + 1 }, (_, index) => `${number + index} ${PADDING}`);
  const text = lines.join('\n') + (end === Number(last) ? '' : '\n');
  for (const file of files) {
    const cut = Math.floor(Math.random() * text.length);
    writeSync(file, text.slice(0, cut));
    writeSync(file, text.slice(cut));
  }
  await delay(Number(pauseMs));
}

/**
 * The end of `npm run bench`: shows all lines as one table. Arguments: <file of lines> [page to write them into].
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describeMachine } from './describe-machine.ts';
import type { Line } from './line.ts';
import { pageWith } from './results-page.ts';
import { adviceOf, tableOf } from './table.ts';

const [file = '', page] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Line);
console.log(tableOf(lines));
for (const advice of adviceOf(lines)) console.log(advice);
if (page) {
  const day = new Date().toISOString().slice(0, 10);
  const machine = await describeMachine();
  writeFileSync(page, pageWith(readFileSync(page, 'utf8'), { day, machine, lines }));
}

/**
 * The end of `npm run bench`: shows all lines as one table, those of several tries as one. Ends with an exit code where
 * one is bad. Arguments: <file of lines> [page to write them into].
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { describeMachine } from './describe-machine.ts';
import { isBad, type Line } from './line.ts';
import { poolTries } from './pool-tries.ts';
import { pageWith } from './results-page.ts';
import { adviceOf, tableOf } from './table.ts';

const [file = '', page] = process.argv.slice(2);
const told = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Line);
const lines = poolTries(told);
console.log(tableOf(lines));
for (const advice of adviceOf(lines)) console.log(advice);
if (page) {
  const day = new Date().toISOString().slice(0, 10);
  const machine = await describeMachine();
  writeFileSync(page, pageWith(readFileSync(page, 'utf8'), { day, machine, lines }));
}
if (lines.some(isBad)) process.exitCode = 1;

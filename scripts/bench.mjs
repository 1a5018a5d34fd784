import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { findNode, SetUpError } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';
import { setUp } from './setup.mjs';

const folder = join(root, 'bench');

/** `npm run bench` runs every program in bench/, `npm run bench -- idle` one; further arguments go to it. */
await asCommand(async ([only, ...args]) => {
  await setUp();
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
  if (only && !names.includes(only))
    throw new SetUpError(`There is no bench/${only}.ts.`, `There are ${names.join(', ')}.`);
  let worst = 0;
  for (const name of only ? [only] : names) {
    say(`bench/${name}`);
    worst = Math.max(worst, await runProgram([findNode(), join(folder, `${name}.ts`), ...args]));
  }
  return worst;
});

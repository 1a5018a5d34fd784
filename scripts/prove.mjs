import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { findNode } from './find-node.mjs';
import { root, runProgram } from './run-program.mjs';
import { setUp } from './setup.mjs';

const usages = {
  chaos: `npm run chaos -- [options]

Uses a platform of its own while its processes are killed, held and cut off, then asks whether it kept its promises.

  --minutes <number>  how long; 5 where it is not said
  --seed <number>     does the same again; where it is not said, one is drawn and told
  --plan              shows only what would happen, and when

chaos/README.md says what is done and what must hold.`,
  soak: `npm run soak -- [options]

Uses a platform of its own steadily, then asks whether its memory, files, disk, processor time and waits stayed flat.

  --minutes <number>  how long, at least 4; 120 where it is not said
  --plot <file>       copies the plot there

soak/README.md says what is done and how it is judged.`,
};

/**
 * `npm run chaos` and `npm run soak`: a program that uses a platform of its own for long; its folder's README.md tells.
 */
await asCommand(async ([folder, ...args]) => {
  await setUp({ forTests: true });
  return runProgram([findNode(), join(root, folder, 'command.ts'), ...args]);
}, usages[process.argv[2]]);

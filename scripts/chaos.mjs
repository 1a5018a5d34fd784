import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { findNode } from './find-node.mjs';
import { root, runProgram } from './run-program.mjs';
import { setUp } from './setup.mjs';

/** `npm run chaos -- --minutes 20 --seed 7` uses a platform of its own while it is disturbed in every way; see chaos/README.md. */
await asCommand(async (args) => {
  await setUp({ forTests: true });
  return runProgram([findNode(), join(root, 'chaos', 'command.ts'), ...args]);
});

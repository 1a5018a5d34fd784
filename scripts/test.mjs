import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { findNode } from './find-node.mjs';
import { root, runProgram } from './run-program.mjs';
import { setUp } from './setup.mjs';

/** Sets up what is missing, then runs the tests; arguments go to vitest. */
await asCommand(async (args) => {
  await setUp({ forTests: true });
  return runProgram([findNode(), join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args]);
});

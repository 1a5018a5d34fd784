import { join } from 'node:path';
import { asCommand } from './as-command.mjs';
import { findNode } from './find-node.mjs';
import { root, runProgram } from './run-program.mjs';
import { setUp } from './setup.mjs';

/** `npm run chaos` and `npm run soak`: a program that uses a platform of its own for long; its folder's README.md tells. */
await asCommand(async ([folder, ...args]) => {
  await setUp({ forTests: true });
  return runProgram([findNode(), join(root, folder, 'command.ts'), ...args]);
});

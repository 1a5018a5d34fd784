import { join } from 'node:path';
import { findNode } from './find-node.mjs';
import { findCommand, root, runProgram, say } from './run-program.mjs';

/** What tests of containers run on: made once, and kept in the cache of whoever runs them. Without it they say so. */
export async function makeStackImage() {
  const canMake = process.getuid?.() === 0 && findCommand('dockerd') && findCommand('debootstrap');
  if (!canMake) return;
  const script = join(root, 'deploy', 'stack', 'make-image.mjs');
  const exitCode = await runProgram([findNode(), script], { quiet: true });
  if (exitCode !== 0) say('The stack image could not be made; going on without.');
}

import { join } from 'node:path';
import { findNode } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';

/**
 * What fuzzes the API by its document: from PyPI, once, into the cache of whoever runs it. Without it the test says so.
 */
export async function installSchemathesis() {
  const exitCode = await runProgram([findNode(), join(root, 'fuzz', 'install.ts')], { quiet: true });
  if (exitCode !== 0) say('schemathesis could not be installed; going on without.');
}

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findNode, isNewEnough, SetUpError } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';

/** npm empties it with the rest. */
const withPackages = join(root, 'node_modules', '.cache', 'lilac');

/** Where compiled code is kept between starts: where the environment says, else with the packages. */
export const compiledFolder = () => process.env.NODE_COMPILE_CACHE || withPackages;

/** Compiles what was built, once: a first start that has to do it takes a second longer on two cores. */
export async function compileServer(built, folder = compiledFolder()) {
  const stamp = join(folder, `compiled-${basename(built)}`);
  if (existsSync(stamp)) return;
  say('Compiling the server (this happens when it changes) …');
  const startedAt = Date.now();
  // What was compiled of an older build is of no use any more. Elsewhere it may be somebody else's.
  if (folder === withPackages) rmSync(folder, { recursive: true, force: true });
  // As `start.mjs` does: what one version of Node compiled is nothing to another.
  const node = isNewEnough() ? process.execPath : findNode();
  const argv = [node, join(root, 'server', 'build', 'compile.ts'), built];
  const exitCode = await runProgram(argv, { env: { ...process.env, NODE_COMPILE_CACHE: folder }, quiet: true });
  if (exitCode !== 0)
    throw new SetUpError('The server could not be compiled (see above).', 'Mend that, and try again.');
  mkdirSync(folder, { recursive: true });
  writeFileSync(stamp, '');
  say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, join } from 'node:path';
import { findNode, isNewEnough, SetUpError } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';

/** npm empties it with the rest. */
const withPackages = join(root, 'node_modules', '.cache', 'lilac');

/** What a program ends with that a signal of the terminal's ended. */
const ENDED_BY_HAND = new Set(
  [constants.signals.SIGHUP, constants.signals.SIGINT, constants.signals.SIGTERM].map((signal) => 128 + signal),
);

/** Where compiled code is kept between starts: where the environment says, else with the packages. */
export const compiledFolder = () => process.env.NODE_COMPILE_CACHE || withPackages;

/**
 * Compiles what was built, once: a first start that has to do it takes a second longer on two cores. Nothing else
 * depends on it, so where it cannot be done that is said, and the set-up goes on.
 */
export async function compileServer(built, folder = compiledFolder()) {
  const stamp = join(folder, `compiled-${basename(built)}`);
  if (existsSync(stamp)) return;
  say('Compiling the server (this happens when it changes) …');
  const startedAt = Date.now();
  try {
    // What was compiled of an older build is of no use any more. Elsewhere it may be somebody else's.
    if (folder === withPackages) rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await compile(built, folder);
    writeFileSync(stamp, '');
    say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  } catch (error) {
    if (error instanceof SetUpError) throw error;
    say(`  ${error.message} Without it the server starts more slowly; it is tried again the next time.`);
  }
}

async function compile(built, folder) {
  // As `start.mjs` does: what one version of Node compiled is nothing to another.
  const node = isNewEnough() ? process.execPath : findNode();
  const argv = [node, join(root, 'server', 'build', 'compile.ts'), built];
  const exitCode = await runProgram(argv, { env: { ...process.env, NODE_COMPILE_CACHE: folder }, quiet: true });
  if (ENDED_BY_HAND.has(exitCode)) throw new SetUpError('The set-up was interrupted.', 'Start again to go on.');
  if (exitCode !== 0) throw new Error('The server could not be compiled (see above).');
}

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNode, SetUpError } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';

/** npm empties it with the rest, and takes the stamp away. */
const withPackages = join(root, 'node_modules', '.cache', 'lilac');
const stampFile = join(root, 'node_modules', '.lilac-compiled');

/** Where compiled code is kept between starts: where the environment says, else with the packages. */
export const compiledFolder = () => process.env.NODE_COMPILE_CACHE || withPackages;

/**
 * Compiles whatever the platform's processes load, once. A first start that had to do it took three times as long;
 * what changes later is compiled by the start that meets it.
 */
export async function compileServer() {
  if (existsSync(stampFile)) return;
  say('Compiling the server (this happens once) …');
  const startedAt = Date.now();
  const program = join(root, 'server', 'src', 'supervisor', 'compile-roles.ts');
  const env = { ...process.env, NODE_COMPILE_CACHE: compiledFolder() };
  const exitCode = await runProgram([findNode(), program], { env, quiet: true });
  if (exitCode !== 0)
    throw new SetUpError('The server could not be compiled (see above).', 'Mend that, and try again.');
  writeFileSync(stampFile, '');
  say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildsFolder, nameOfBuild } from '../server/build/find-program.mjs';
import { compileServer } from './compile-server.mjs';
import { findNode, SetUpError } from './find-node.mjs';
import { keepNewest } from './keep-newest.mjs';
import { root, runProgram, say } from './run-program.mjs';

/** The one before may be running yet, and loads some of its files only when it needs them. */
const KEPT = 2;

/** Builds the server when it changed since the last time, and compiles it. */
export async function buildServer() {
  const built = join(buildsFolder, nameOfBuild());
  if (!existsSync(built)) {
    // Where packages for building were left out, the sources are run.
    if (!existsSync(join(root, 'node_modules', 'rolldown'))) return;
    await build(built);
  }
  await compileServer(built);
}

async function build(built) {
  say('Building the server (this happens when it changes) …');
  const startedAt = Date.now();
  const draft = `${built}.new`;
  rmSync(draft, { recursive: true, force: true });
  const argv = [findNode(), join(root, 'server', 'build', 'bundle.ts'), draft];
  const exitCode = await runProgram(argv, { quiet: true });
  if (exitCode !== 0) throw new SetUpError('The server could not be built (see above).', 'Mend that, and try again.');
  renameSync(draft, built);
  keepNewest(buildsFolder, KEPT);
  say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

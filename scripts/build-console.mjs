import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSources } from '../server/build/hash-sources.mjs';
import { findNode, SetUpError } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';

const consoleFolder = join(root, 'console');
const distFolder = join(consoleFolder, 'dist');
const draftFolder = join(consoleFolder, 'dist.new');
const outgoingFolder = join(consoleFolder, 'dist.old');
const stampFile = join(root, 'node_modules', '.lilac-console-built');
/** What ends up in the browser: the console itself, what it imports of ours, the packages' versions. */
const sources = ['console', 'contract', 'sdk', 'package-lock.json'];

/** Builds the console when it changed since the last time. */
export async function buildConsole() {
  if (!existsSync(join(consoleFolder, 'vite.config.ts'))) return;
  const wanted = hashSources(root, sources);
  const isBuilt = existsSync(join(distFolder, 'index.html'));
  if (isBuilt && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  say('Building the console (this happens when it changes) …');
  const startedAt = Date.now();
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const argv = [findNode(), vite, 'build', '--logLevel', 'warn', '--outDir', draftFolder, '--emptyOutDir'];
  const exitCode = await runProgram(argv, { cwd: consoleFolder, quiet: true });
  if (exitCode !== 0) throw new SetUpError('The console could not be built (see above).', 'Mend that, and try again.');
  moveIntoPlace();
  writeFileSync(stampFile, wanted);
  say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** A platform that starts meanwhile finds the old console or the new one, never half of one. */
function moveIntoPlace() {
  rmSync(outgoingFolder, { recursive: true, force: true });
  if (existsSync(distFolder)) renameSync(distFolder, outgoingFolder);
  renameSync(draftFolder, distFolder);
  rmSync(outgoingFolder, { recursive: true, force: true });
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findNode, SetUpError } from './find-node.mjs';
import { root, runProgram, say } from './run-program.mjs';

const consoleFolder = join(root, 'console');
const stampFile = join(root, 'node_modules', '.lilac-console-built');
/** What ends up in the browser: the console itself, the contract it imports, the packages' versions. */
const sources = ['console', 'contract', 'package-lock.json'];
const notSources = new Set(['node_modules', 'dist']);

/** Builds the console when it changed since the last time. */
export async function buildConsole() {
  if (!existsSync(join(consoleFolder, 'vite.config.ts'))) return;
  const wanted = hashOfSources();
  const isBuilt = existsSync(join(consoleFolder, 'dist', 'index.html'));
  if (isBuilt && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  say('Building the console (this happens when it changes) …');
  const startedAt = Date.now();
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const exitCode = await runProgram([findNode(), vite, 'build', '--logLevel', 'warn'], {
    cwd: consoleFolder,
    quiet: true,
  });
  if (exitCode !== 0) throw new SetUpError('The console could not be built (see above).', 'Mend that, and try again.');
  writeFileSync(stampFile, wanted);
  say(`  done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesBelow(join(root, source)))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  if (!existsSync(path)) return [];
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    return [path];
  }
  return entries
    .filter((entry) => !notSources.has(entry.name) && !entry.name.endsWith('.test.ts'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]));
}

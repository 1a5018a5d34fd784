import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { SetUpError } from './find-node.mjs';
import { findCommand, root, runProgram, say } from './run-program.mjs';

const lockFile = join(root, 'package-lock.json');
const stampFile = join(root, 'node_modules', '.lilac-installed');

/** Installs npm packages when the lock file is another than at the last time, or one of them is not there. */
export async function installPackages() {
  const lock = readFileSync(lockFile, 'utf8');
  const wanted = createHash('sha256').update(lock).digest('hex');
  const { packages } = JSON.parse(lock);
  if (!areThere(packages)) await install();
  else if (readIfThere(stampFile) === wanted) return;
  else if (!isInstalled(packages)) await install();
  writeFileSync(stampFile, wanted);
}

async function install() {
  // npm replaces node_modules, and with it the Node in there: it runs on the system's own.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
    .join(delimiter);
  const npm = findCommand('npm', path);
  if (!npm) throw new SetUpError('npm is not on this machine.', 'Install Node with npm, and try again.');
  say('Installing npm packages (this happens when package-lock.json changes) …');
  const startedAt = Date.now();
  const options = [
    '--ignore-scripts',
    '--include=optional',
    '--include=dev',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ];
  const exitCode = await runProgram([npm, 'ci', ...options], { env: cleanEnvironment(path), quiet: true });
  if (exitCode !== 0)
    throw new SetUpError('npm could not install the packages (see above).', 'Mend that, and try again.');
  say(`  done in ${Math.round((Date.now() - startedAt) / 1000)} s`);
}

/** An npm inside an npm would take over the outer one's command line. */
function cleanEnvironment(path) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(command|lifecycle|package|execpath|node_execpath)/.test(name),
  );
  return { ...Object.fromEntries(kept), PATH: path };
}

/**
 * Some lie in the folder of a workspace, which can be lost by itself: whoever asks for one of these would get another
 * version of it without a word. What is optional is for another machine, or could not be installed.
 */
function areThere(packages) {
  return Object.entries(packages).every(
    ([path, { optional }]) =>
      !path.includes('node_modules/') || optional || existsSync(join(root, path, 'package.json')),
  );
}

/** Somebody may have run npm by hand: then its own record says that all is as it should be. */
function isInstalled(wanted) {
  const record = readIfThere(join(root, 'node_modules', '.package-lock.json'));
  if (record === null) return false;
  const { packages: installed } = JSON.parse(record);
  return Object.entries(wanted).every(([path, { version, integrity, link, optional }]) => {
    if (!path.includes('node_modules/') || link) return true;
    const found = installed[path];
    return found ? found.version === version && found.integrity === integrity : optional === true;
  });
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

#!/usr/bin/env node
/**
 * Makes the stack image where no registry can be reached: Debian by debootstrap, the packages of `packages.txt`,
 * and the Node that runs this. Prints the path of a tar that `docker import` takes; it is made once and kept.
 *
 *   node deploy/stack/make-image.mjs                 makes the tar
 *   node deploy/stack/make-image.mjs --import        and imports it into the engine that `docker` reaches
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { STACK_IMAGE, stackChanges } from '../../server/src/runtime/stack-image.ts';

const SUITE = 'bookworm';
const MIRROR = process.env.LILAC_DEBIAN_MIRROR ?? 'http://deb.debian.org/debian';
const FOLDERS = ['home/app', 'home/user', 'home/tools'];
/** Nobody reads these in an instance. */
const NEEDLESS = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'var/log',
];

const tar = makeTar();
console.log(tar);
if (process.argv.includes('--import')) importImage(tar);

function makeTar() {
  const packages = readFileSync(new URL('packages.txt', import.meta.url), 'utf8')
    .trim()
    .split(/\s+/);
  const node = realpathSync(process.execPath);
  const recipe = [SUITE, packages.join(), NEEDLESS.join(), FOLDERS.join(), process.version, process.arch];
  const name = createHash('sha256').update(recipe.join('\n')).digest('hex').slice(0, 16);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'lilac', 'stack');
  const kept = join(cache, `${name}.tar`);
  if (existsSync(kept)) return kept;
  if (process.getuid?.() !== 0) fail('Only root can make the stack image: run this as root.');
  const draft = join(cache, `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    const root = join(draft, 'root');
    bootstrap(root, packages);
    copyFileSync(node, join(root, 'usr/local/bin/node'));
    chmodSync(join(root, 'usr/local/bin/node'), 0o755);
    for (const folder of NEEDLESS) rmSync(join(root, folder), { recursive: true, force: true });
    for (const folder of [...FOLDERS, 'var/log', 'var/cache/apt']) mkdirSync(join(root, folder), { recursive: true });
    // Device nodes are the engine's to make.
    run('tar', ['--numeric-owner', '--exclude=./dev/*', '-C', root, '-cf', join(draft, 'tar'), '.']);
    renameSync(join(draft, 'tar'), kept);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return kept;
}

function bootstrap(root, packages) {
  const options = ['--variant=minbase', `--include=${packages.join()}`];
  try {
    run('debootstrap', [...options, SUITE, root, MIRROR]);
  } catch (error) {
    if (error.code === 'ENOENT') fail('debootstrap is missing: apt-get install debootstrap, then run this again.');
    throw error;
  }
}

function importImage(path) {
  run('docker', ['import', ...stackChanges.flatMap((change) => ['--change', change]), path, STACK_IMAGE]);
}

/** What it says goes to the standard error: the standard output has the path and nothing else. */
function run(program, argv) {
  execFileSync(program, argv, { stdio: ['ignore', 2, 2] });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

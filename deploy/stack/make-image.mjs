#!/usr/bin/env node
/**
 * Makes the stack image where no registry can be reached: Debian by debootstrap, the packages of `packages.txt`,
 * and the Node that runs this. Prints the path of a tar that `docker load` takes; it is made once and kept. Load the
 * same one on every machine of a swarm: it is known by the hash of what is in it.
 *
 *   node deploy/stack/make-image.mjs                 makes the tar
 *   node deploy/stack/make-image.mjs --load          and loads it into the engine that `docker` reaches
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { STACK_IMAGE, stackSettings } from '../../server/src/runtime/stack-image.ts';

const SUITE = 'bookworm';
/** Left out: debootstrap's own. */
const MIRROR = process.env.LILAC_DEBIAN_MIRROR;
const ARCHITECTURES = { x64: 'amd64' };
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
if (process.argv.includes('--load')) run('docker', ['load', '--input', tar]);

function makeTar() {
  const packages = readFileSync(new URL('packages.txt', import.meta.url), 'utf8')
    .trim()
    .split(/\s+/);
  const node = realpathSync(process.execPath);
  const npm = findNpm();
  const recipe = [
    STACK_IMAGE,
    JSON.stringify(stackSettings),
    npm?.version,
    SUITE,
    packages.join(),
    NEEDLESS.join(),
    FOLDERS.join(),
    process.version,
    process.arch,
  ];
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
    if (npm) addNpm(root, npm.folder);
    for (const folder of NEEDLESS) rmSync(join(root, folder), { recursive: true, force: true });
    for (const folder of [...FOLDERS, 'var/log', 'var/cache/apt']) mkdirSync(join(root, folder), { recursive: true });
    // Device nodes are the engine's to make.
    run('tar', ['--numeric-owner', '--exclude=./dev/*', '-C', root, '-cf', join(draft, 'layer.tar'), '.']);
    rmSync(root, { recursive: true, force: true });
    wrapLayer(draft);
    renameSync(join(draft, 'image.tar'), kept);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return kept;
}

/** People start their programs with `npm start`. The machine's own, as it comes with no Node of npm's registry. */
function findNpm() {
  const program = ['/usr/local/bin/npm', '/usr/bin/npm'].find((path) => existsSync(path));
  if (!program) return null;
  const folder = dirname(dirname(realpathSync(program)));
  const about = join(folder, 'package.json');
  return existsSync(about) ? { folder, version: JSON.parse(readFileSync(about, 'utf8')).version } : null;
}

function addNpm(root, folder) {
  const place = '/usr/local/lib/node_modules/npm';
  cpSync(folder, join(root, place), { recursive: true, verbatimSymlinks: true });
  for (const name of ['npm', 'npx']) symlinkSync(`${place}/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
}

function bootstrap(root, packages) {
  const options = ['--variant=minbase', `--include=${packages.join()}`];
  try {
    run('debootstrap', [...options, SUITE, root, ...(MIRROR ? [MIRROR] : [])]);
  } catch (error) {
    if (error.code === 'ENOENT') fail('debootstrap is missing: apt-get install debootstrap, then run this again.');
    throw error;
  }
}

/** As `docker save` writes an image of one layer. Nothing in it tells when it was made: its name is its content's. */
function wrapLayer(folder) {
  const layer = run('sha256sum', [join(folder, 'layer.tar')], 'pipe')
    .toString()
    .split(' ')[0];
  const config = {
    architecture: ARCHITECTURES[process.arch] ?? process.arch,
    os: 'linux',
    created: '1970-01-01T00:00:00Z',
    config: stackSettings,
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
  };
  const manifest = [{ Config: 'config.json', RepoTags: [STACK_IMAGE], Layers: ['layer.tar'] }];
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  run('tar', ['-C', folder, '-cf', join(folder, 'image.tar'), 'manifest.json', 'config.json', 'layer.tar']);
}

/** What it says goes to the standard error: the standard output has the path and nothing else. */
function run(program, argv, output = 2) {
  return execFileSync(program, argv, { stdio: ['ignore', output, 2] });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

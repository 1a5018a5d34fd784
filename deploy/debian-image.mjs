/** What the images of `deploy/` are made with where no registry can be reached: Debian by debootstrap, and its own Node. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
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
import { parseArgs } from 'node:util';

export const SUITE = 'bookworm';
/** Left out: debootstrap's own. */
const MIRROR = process.env.LILAC_DEBIAN_MIRROR;
const ARCHITECTURES = { x64: 'amd64' };
/** Nobody reads these in a container. */
export const NEEDLESS = [
  'var/cache/apt',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'var/log',
];

export const cacheOf = (name) => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'lilac', name);

export const readPackages = (file) => readFileSync(file, 'utf8').trim().split(/\s+/);

/** What whoever makes an image may say: that the engine is to load it, and what more of Debian's packages is in it. */
export function readOptions() {
  const { values } = parseArgs({
    options: { load: { type: 'boolean', default: false }, with: { type: 'string', default: '' } },
  });
  return { load: values.load, packages: values.with.split(',').filter(Boolean) };
}

/** Tells where the image is, as a tar that `docker load` takes. */
export function handOver(tar, { load }) {
  console.log(tar);
  if (load) run('docker', ['load', '--input', tar]);
}

export function assertRoot(image) {
  if (process.getuid?.() !== 0) fail(`Only root can make ${image}: run this as root.`);
}

/** Short, and another one for every other recipe. */
export const nameOf = (recipe) => createHash('sha256').update(recipe.join('\n')).digest('hex').slice(0, 16);

/** A file that is made once: `make` gets a folder to work in, of which nothing is left, and gives the file in it. */
export function makeOnce(file, make) {
  if (existsSync(file)) return file;
  const draft = join(dirname(file), `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    renameSync(make(draft), file);
    return file;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A tree with Debian, the packages, the Node that runs this and the npm of this machine. */
export function makeRoot(root, packages) {
  bootstrap(root, packages);
  copyFileSync(realpathSync(process.execPath), join(root, 'usr/local/bin/node'));
  chmodSync(join(root, 'usr/local/bin/node'), 0o755);
  const npm = findNpm();
  if (npm) addNpm(root, npm.folder);
  for (const folder of NEEDLESS) rmSync(join(root, folder), { recursive: true, force: true });
  for (const folder of ['var/log', 'var/cache/apt']) mkdirSync(join(root, folder), { recursive: true });
}

/** People start their programs with `npm start`. The machine's own, as it comes with no Node of npm's registry. */
export function findNpm() {
  const program = ['/usr/local/bin/npm', '/usr/bin/npm'].find((path) => existsSync(path));
  if (!program) return null;
  const folder = dirname(dirname(realpathSync(program)));
  const about = join(folder, 'package.json');
  return existsSync(about) ? { folder, version: JSON.parse(readFileSync(about, 'utf8')).version } : null;
}

/** Device nodes are the engine's to make. */
export function packLayer(root, file, options = []) {
  run('tar', ['--numeric-owner', '--exclude=./dev/*', ...options, '-C', root, '-cf', file, '.']);
  return file;
}

/**
 * As `docker save` writes an image: `image.tar` of the named layers, all in the folder. Nothing in it tells when it was
 * made: its name is its content's.
 */
export function wrapLayers(folder, { tag, settings, layers }) {
  const hashes = layers.map((layer) => hashOf(join(folder, layer)));
  const config = {
    architecture: ARCHITECTURES[process.arch] ?? process.arch,
    os: 'linux',
    created: '1970-01-01T00:00:00Z',
    config: settings,
    rootfs: { type: 'layers', diff_ids: hashes.map((hash) => `sha256:${hash}`) },
  };
  const manifest = [{ Config: 'config.json', RepoTags: [tag], Layers: layers }];
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const image = join(folder, 'image.tar');
  run('tar', ['-C', folder, '-chf', image, 'manifest.json', 'config.json', ...layers]);
  return image;
}

/** What it says goes to the standard error: the standard output has the path and nothing else. */
export function run(program, argv, output = 2) {
  return execFileSync(program, argv, { stdio: ['ignore', output, 2] });
}

function fail(message) {
  console.error(message);
  process.exit(1);
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

function addNpm(root, folder) {
  const place = '/usr/local/lib/node_modules/npm';
  cpSync(folder, join(root, place), { recursive: true, verbatimSymlinks: true });
  for (const name of ['npm', 'npx']) symlinkSync(`${place}/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
}

function hashOf(file) {
  const words = run('sha256sum', [file], 'pipe').toString();
  return words.split(' ')[0];
}

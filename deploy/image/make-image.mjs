#!/usr/bin/env node
/**
 * Makes an image of Lilac itself where no registry can be reached: Debian by debootstrap, the packages of
 * `packages.txt`, the Node that runs this, and of this folder what runs in production. Prints the path of a tar that
 * `docker load` takes; load the same one on every machine. Debian's part is made once and kept, and so is the whole
 * while nothing has changed. The image is called `lilac:<version>-<hash of what is in it>`.
 *
 *   node deploy/image/make-image.mjs                           makes the tar
 *   node deploy/image/make-image.mjs --load                    and loads it into the engine that `docker` reaches
 *   node deploy/image/make-image.mjs --with golang-go,cargo    with more of Debian's packages, for builds
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../../scripts/build-console.mjs';
import { buildServer } from '../../scripts/build-server.mjs';
import { keepNewest } from '../../scripts/keep-newest.mjs';
import {
  assertRoot,
  cacheOf,
  findNpm,
  handOver,
  makeOnce,
  makeRoot,
  nameOf,
  NEEDLESS,
  packLayer,
  readOptions,
  readPackages,
  SUITE,
  wrapLayers,
} from '../debian-image.mjs';
import { hashFiles, listPackages, listSources } from './app-files.mjs';
import { imageSettings } from './image-settings.mjs';

const here = import.meta.dirname;
const root = fileURLToPath(new URL('../..', import.meta.url));
const PLACE = 'opt/lilac';
const KEPT = 2;
const OWN = ['entrypoint.sh', 'health.mjs'];
/** The same whoever makes it, and whenever. */
const ALIKE = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--mode=u+rwX,go+rX,go-w'];
/** Half of what packages bring, and nothing runs it. */
const UNREAD = ['*.map', '*.d.ts', '*.d.mts', '*.d.cts'].map((name) => `--exclude=./${PLACE}/*node_modules/${name}`);

const options = readOptions();
handOver(await makeTar(), options);

async function makeTar() {
  assertRoot('the image');
  await buildServer();
  await buildConsole();
  const base = makeBase();
  const files = { sources: listSources(root), packages: listPackages(root) };
  const content = createHash('sha256').update(
    [base.name, JSON.stringify(imageSettings), hashFiles(root, files), readOwn().join('\0')].join('\n'),
  );
  const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8'));
  const tag = `${version}-${content.digest('hex').slice(0, 12)}`;
  const kept = makeOnce(join(cacheOf('image'), `lilac-${tag}.tar`), (draft) => {
    layFiles(join(draft, 'root'), files);
    packLayer(join(draft, 'root'), join(draft, 'app.tar'), [...UNREAD, ...ALIKE]);
    symlinkSync(base.file, join(draft, 'base.tar'));
    return wrapLayers(draft, { tag: `lilac:${tag}`, settings: imageSettings, layers: ['base.tar', 'app.tar'] });
  });
  // The one before is good to go back to.
  keepNewest(cacheOf('image'), KEPT, (name) => name.startsWith('lilac-'));
  return kept;
}

/** Debian's part, which changes seldom. */
function makeBase() {
  const packages = [...readPackages(join(here, 'packages.txt')), ...options.packages];
  const recipe = [SUITE, packages.join(), NEEDLESS.join(), findNpm()?.version, process.version, process.arch];
  const name = nameOf(recipe);
  const file = makeOnce(join(cacheOf('image'), `base-${name}.tar`), (draft) => {
    makeRoot(join(draft, 'root'), packages);
    return packLayer(join(draft, 'root'), join(draft, 'base.tar'));
  });
  return { name, file };
}

function layFiles(top, { sources, packages }) {
  const target = join(top, PLACE);
  for (const path of [...sources, ...packages]) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, path), join(target, path), { recursive: true, verbatimSymlinks: true });
  }
  const programs = join(top, 'usr/local/bin');
  mkdirSync(programs, { recursive: true });
  for (const name of OWN) cpSync(join(here, name), join(target, 'deploy/image', name));
  symlinkSync(`/${PLACE}/cli/bin/lilac.mjs`, join(programs, 'lilac'));
}

function readOwn() {
  return OWN.map((name) => readFileSync(join(here, name), 'utf8'));
}

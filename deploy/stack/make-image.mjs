#!/usr/bin/env node
/**
 * Makes the stack image where no registry can be reached: Debian by debootstrap, the packages of `packages.txt`,
 * and the Node that runs this. Prints the path of a tar that `docker load` takes; it is made once and kept. Load the
 * same one on every machine of a swarm: it is known by the hash of what is in it.
 *
 *   node deploy/stack/make-image.mjs                              makes the tar
 *   node deploy/stack/make-image.mjs --load                       and loads it into the engine that `docker` reaches
 *   node deploy/stack/make-image.mjs --with ruby,php-cli --load   with more of Debian's packages, for servers
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { STACK_IMAGE, stackSettings } from '../../server/src/runtime/stack-image.ts';
import {
  cacheOf,
  fail,
  findNpm,
  makeRoot,
  NEEDLESS,
  packLayer,
  readPackages,
  run,
  SUITE,
  wrapLayers,
} from '../debian-image.mjs';

const FOLDERS = ['home/app', 'home/user', 'home/tools'];

const { values: options } = parseArgs({
  options: { load: { type: 'boolean', default: false }, with: { type: 'string', default: '' } },
});
const tar = makeTar();
console.log(tar);
if (options.load) run('docker', ['load', '--input', tar]);

function makeTar() {
  const more = options.with.split(',').filter(Boolean);
  const packages = [...readPackages(new URL('packages.txt', import.meta.url)), ...more];
  const recipe = [
    STACK_IMAGE,
    JSON.stringify(stackSettings),
    findNpm()?.version,
    SUITE,
    packages.join(),
    NEEDLESS.join(),
    FOLDERS.join(),
    process.version,
    process.arch,
  ];
  const name = createHash('sha256').update(recipe.join('\n')).digest('hex').slice(0, 16);
  const cache = cacheOf('stack');
  const kept = join(cache, `${name}.tar`);
  if (existsSync(kept)) return kept;
  if (process.getuid?.() !== 0) fail('Only root can make the stack image: run this as root.');
  const draft = join(cache, `.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    const root = join(draft, 'root');
    makeRoot(root, packages);
    for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true });
    packLayer(root, join(draft, 'layer.tar'));
    rmSync(root, { recursive: true, force: true });
    wrapLayers(draft, { tag: STACK_IMAGE, settings: stackSettings, layers: ['layer.tar'] });
    renameSync(join(draft, 'image.tar'), kept);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return kept;
}

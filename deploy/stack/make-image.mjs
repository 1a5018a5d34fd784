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
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { STACK_IMAGE, stackSettings } from '../../server/src/runtime/stack-image.ts';
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

const FOLDERS = ['home/app', 'home/user', 'home/tools'];

const options = readOptions();
handOver(makeTar(), options);

function makeTar() {
  const packages = [...readPackages(new URL('packages.txt', import.meta.url)), ...options.packages];
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
  const kept = join(cacheOf('stack'), `${nameOf(recipe)}.tar`);
  if (!existsSync(kept)) assertRoot('the stack image');
  return makeOnce(kept, (draft) => {
    const root = join(draft, 'root');
    makeRoot(root, packages);
    for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true });
    packLayer(root, join(draft, 'layer.tar'));
    rmSync(root, { recursive: true, force: true });
    return wrapLayers(draft, { tag: STACK_IMAGE, settings: stackSettings, layers: ['layer.tar'] });
  });
}

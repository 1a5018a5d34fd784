import { describe, expect, it } from 'vitest';
import { createHostTools } from '../server/src/runtime/network/host-tools.ts';
import { leftFolders, leftMounts, leftObjects, lostObjects } from './invariants/left-files.ts';
import { isRootFor } from './testing/is-root-for.ts';
import { openHome } from './testing/open-home.ts';

const sorted = (paths: readonly string[]) => paths.toSorted((one, other) => one.localeCompare(other));

describe('a folder of a home', () => {
  const expected = { instances: new Set(['ins_1']), servers: new Set(['dbs_1']) };

  it('is well where it is of an instance or a server that is there, or what all share', () => {
    using home = openHome();
    home.put(
      'builds/',
      'instances/ins_1/',
      'instances/.stage/',
      'outputs/ins_1/',
      'databases/dbs_1/',
      'run/ready.json',
    );
    home.put('cache/slugs/art_1/', 'objects/~incoming/');
    expect(leftFolders(home.expecting(expected))).toEqual([]);
  });

  it('is left where it is of nothing that is there, or half of something', () => {
    using home = openHome();
    const left = ['builds/dep_1', 'instances/ins_2', 'outputs/ins_2', 'databases/dbs_2', 'objects/~incoming/1'];
    const half = ['instances/.draft-1-ins_1', 'databases/.gone-dbs_1-1', 'run/.probe-1', 'cache/slugs/art_1.new'];
    home.put(...[...left, ...half].map((path) => `${path}/`));
    expect(sorted(leftFolders(home.expecting(expected)))).toEqual(sorted([...left, ...half]));
  });
});

it.runIf(isRootFor('mount'))('a mount below a home is left where its instance is not there', async () => {
  using home = openHome();
  const folder = 'instances/ins_1/stage';
  home.put(`${folder}/`);
  const path = `${home.path}/${folder}`;
  const tools = createHostTools();
  await tools.run(['mount', '-t', 'tmpfs', 'tmpfs', path]);
  try {
    expect(leftMounts(home.expecting())).toEqual([`mount ${path}`]);
    expect(leftMounts(home.expecting({ instances: new Set(['ins_1']) }))).toEqual([]);
  } finally {
    await tools.run(['umount', path]);
  }
  expect(leftMounts(home.expecting())).toEqual([]);
});

describe('an object', () => {
  const [blob, manifest] = ['blobs/ab/abcd', 'manifests/art_1.json'];

  it('is left where no row names it', () => {
    using home = openHome();
    home.put(`objects/${blob}`, `objects/${manifest}`, 'objects/~incoming/1');
    expect(leftObjects(home.expecting(), new Set([blob]))).toEqual([`object ${manifest}`]);
    expect(leftObjects(home.expecting(), new Set([blob, manifest]))).toEqual([]);
  });

  it('is lost where a row names it and it is not there', () => {
    using home = openHome();
    home.put(`objects/${blob}`);
    expect(lostObjects(home.expecting(), new Set([blob, manifest]))).toEqual([`object ${manifest}`]);
    expect(lostObjects(home.expecting(), new Set([blob]))).toEqual([]);
  });
});

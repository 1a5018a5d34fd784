import { expect, it } from 'vitest';
import { openArchiveTree } from './open-archive-tree.ts';
import { archiveInMemory } from './testing/archive-in-memory.ts';
import { makeZip, type ZipPart } from './testing/make-zip.ts';

const link = (name: string, content: string): ZipPart => ({ name, content, method: 0, mode: 0o120777 });
const open = (parts: ZipPart[]) => openArchiveTree(archiveInMemory(makeZip(parts)));

it('lists folders, also those that only their files tell of, in the order of names', async () => {
  await using tree = await open([
    { name: 'b/c/file', content: '1' },
    { name: 'a', content: '2' },
    { name: 'empty/' },
    { name: '__MACOSX/x', content: '3' },
  ]);
  expect(await tree.list('')).toEqual([
    { name: 'a', kind: 'file' },
    { name: 'b', kind: 'folder' },
    { name: 'empty', kind: 'folder' },
  ]);
  expect(await tree.list('b')).toEqual([{ name: 'c', kind: 'folder' }]);
  expect(await tree.list('b/c')).toEqual([{ name: 'file', kind: 'file' }]);
  for (const folder of ['empty', 'nowhere', 'a', '..', '../b', '__MACOSX']) expect(await tree.list(folder)).toEqual([]);
});

it('reads text, cut off after a mebibyte, and nothing where there is no file', async () => {
  const long = 'abcdefgh'.repeat(131_073);
  const longer = 'abcdefgh'.repeat(400_000);
  await using tree = await open([
    { name: 'short', content: 'grüße' },
    { name: 'folder/long', content: long },
    { name: 'longer', content: longer },
    { name: 'none' },
  ]);
  expect(await tree.read('short')).toBe('grüße');
  expect((await tree.read('folder/long')) === long.slice(0, 1_048_576)).toBe(true);
  expect((await tree.read('longer')) === longer.slice(0, 1_048_576)).toBe(true);
  expect(await tree.read('none')).toBe('');
  for (const path of ['', 'folder', 'nothing', 'short/further', '../short']) expect(await tree.read(path)).toBeNull();
});

it('follows links within, and shows none that lead nowhere or in a circle', async () => {
  await using tree = await open([
    { name: 'real/package.json', content: '{}' },
    link('to-folder', 'real'),
    link('deep/to-file', '../to-folder/package.json'),
    link('circle', 'circle'),
    link('nowhere', 'gone'),
  ]);
  expect(await tree.read('deep/to-file')).toBe('{}');
  expect(await tree.read('to-folder/package.json')).toBe('{}');
  expect(await tree.list('to-folder')).toEqual([{ name: 'package.json', kind: 'file' }]);
  expect(await tree.list('')).toEqual([
    { name: 'deep', kind: 'folder' },
    { name: 'real', kind: 'folder' },
    { name: 'to-folder', kind: 'folder' },
  ]);
});

it('is there at once for thousands of links that lead through long ones', async () => {
  const detour = './'.repeat(2000);
  const chain = Array.from({ length: 38 }, (_, index) => link(`c${index}`, `${detour}c${index + 1}`));
  const many = Array.from({ length: 2000 }, (_, index) => link(`x${index}`, 'c0'));
  await using tree = await open([{ name: 'c38', content: 'x' }, ...chain, ...many]);
  expect(await tree.list('')).toHaveLength(2039);
  expect(await tree.read('x1999')).toBe('x');
});

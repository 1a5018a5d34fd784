import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFolderTree } from './folder-tree.ts';

let outer: string;
let folder: string;

beforeAll(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'lilac-folder-tree-')));
  folder = join(outer, 'project');
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(outer, 'secret.txt'), 'not for the project');
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'src', '+page.svelte'), '<h1>Hello</h1>');
  writeFileSync(join(folder, 'large.txt'), 'x'.repeat(3 * 1024 * 1024));
  symlinkSync('../secret.txt', join(folder, 'leak.txt'));
  symlinkSync('..', join(folder, 'above'));
  symlinkSync('src', join(folder, 'source'));
  symlinkSync('nowhere', join(folder, 'broken'));
  symlinkSync('loop', join(folder, 'loop'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
});

afterAll(() => rmSync(outer, { recursive: true, force: true }));

describe('a folder as a source tree', () => {
  it('lists files and folders by name, and links that stay inside as what they lead to', async () => {
    expect(await openFolderTree(folder).list('')).toEqual([
      { name: 'large.txt', kind: 'file' },
      { name: 'package.json', kind: 'file' },
      { name: 'source', kind: 'folder' },
      { name: 'src', kind: 'folder' },
    ]);
    expect(await openFolderTree(folder).list('source')).toEqual([{ name: '+page.svelte', kind: 'file' }]);
  });

  it('reads files, also through a link that stays inside', async () => {
    const tree = openFolderTree(folder);
    expect(await tree.read('package.json')).toBe('{}');
    expect(await tree.read('source/+page.svelte')).toBe('<h1>Hello</h1>');
  });

  it('has nothing where nothing is, where a folder is and where a link is broken', async () => {
    const tree = openFolderTree(folder);
    for (const path of ['missing', 'src', 'broken', 'loop', 'package.json/x', 'a\0b', 'x'.repeat(5000)]) {
      expect(await tree.read(path), `at ${path}`).toBeNull();
    }
    expect(await tree.list('missing')).toEqual([]);
    expect(await tree.list('package.json')).toEqual([]);
  });

  it('never leaves the folder, neither by a link nor by the path asked for', async () => {
    const tree = openFolderTree(folder);
    for (const path of ['leak.txt', '../secret.txt', 'above/secret.txt', join(outer, 'secret.txt')]) {
      expect(await tree.read(path), `at ${path}`).toBeNull();
    }
    expect(await tree.list('..')).toEqual([]);
    expect(await tree.list('above')).toEqual([]);
  });

  it('cuts a file off after a mebibyte', async () => {
    expect((await openFolderTree(folder).read('large.txt'))?.length).toBe(1024 * 1024);
  });

  it('does not wait for the writer of a pipe', async () => {
    expect(await openFolderTree(folder).read('pipe')).toBeNull();
  });
});

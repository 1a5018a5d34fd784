import { describe, expect, it } from 'vitest';
import type { SourceTree } from './source-tree.ts';
import { insidePath, openSubTree } from './sub-tree.ts';

const asked: string[] = [];
const tree: SourceTree = {
  async list(folder) {
    asked.push(`list ${folder}`);
    return [];
  },
  async read(path) {
    asked.push(`read ${path}`);
    return 'text';
  },
};

describe('a tree seen from one of its folders', () => {
  it('asks the whole tree for the path below the folder', async () => {
    asked.length = 0;
    const sub = openSubTree(tree, './apps/web/');
    await sub.list('');
    await sub.read('src/main.ts');
    expect(asked).toEqual(['list apps/web', 'read apps/web/src/main.ts']);
  });

  it('knows nothing of what lies above', async () => {
    asked.length = 0;
    const sub = openSubTree(tree, 'apps/web');
    expect(await sub.read('../../package.json')).toBeNull();
    expect(await sub.list('..')).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('is the tree itself for the root', () => {
    expect(openSubTree(tree, '')).toBe(tree);
    expect(openSubTree(tree, '.')).toBe(tree);
  });

  it('refuses a folder outside', () => {
    expect(() => openSubTree(tree, '../other')).toThrow('leads out of the tree');
    expect(() => openSubTree(tree, '/etc')).toThrow('leads out of the tree');
  });
});

describe('a path inside a tree', () => {
  it('is written without detours', () => {
    expect(insidePath('./a//b/../c/')).toBe('a/c');
    expect(insidePath('.')).toBe('');
    expect(insidePath('a/../..')).toBeNull();
  });
});

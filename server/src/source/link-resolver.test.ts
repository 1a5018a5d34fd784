import { expect, it } from 'vitest';
import { createLinkResolver } from './link-resolver.ts';

/** A tree that counts how often it is asked. */
function treeOf(links: Record<string, string>) {
  const targets = new Map(Object.entries(links));
  const asked = { count: 0 };
  const targetOf = (path: string) => {
    asked.count += 1;
    return targets.get(path);
  };
  return { targetOf, asked };
}

const tangled = () => new Error('tangled');

it('follows links as the kernel does', () => {
  const links = { near: 'one/two', a: 'near/../../index.html', out: 'near/../../..', abs: '/etc', self: 'self/x' };
  const { resolve } = createLinkResolver(treeOf(links), { tangled });
  expect(resolve('a')).toBe('index.html');
  expect(resolve('./near//three')).toBe('one/two/three');
  for (const path of ['out', 'abs', 'self', '..', 'a/../..']) expect([path, resolve(path)]).toEqual([path, null]);
});

it('goes through folders only, where it is told which they are', () => {
  const tree = treeOf({ a: 'gone/../x', b: 'folder/../x' });
  const { resolve } = createLinkResolver({ ...tree, isFolder: (path) => path === 'folder' }, { tangled });
  expect(resolve('a')).toBeNull();
  expect(resolve('b')).toBe('x');
});

it('takes absolute links and steps above the root as the system does, where the root is that of the system', () => {
  const { resolve } = createLinkResolver(treeOf({ 'a/b': '/c', 'a/d': '../../../../c' }), { root: 'system', tangled });
  expect(resolve('a/b/x')).toBe('c/x');
  expect(resolve('a/d')).toBe('c');
});

it('follows forty links on the way to a file and no more, whichever was asked first', () => {
  const chain = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`c${index}`, `c${index + 1}`]));
  for (const order of [
    ['c0', 'c19', 'c20'],
    ['c20', 'c19', 'c0'],
  ]) {
    const { resolve } = createLinkResolver(treeOf(chain), { tangled });
    expect(Object.fromEntries(order.map((path) => [path, resolve(path)]))).toEqual({ c0: null, c19: null, c20: 'c60' });
  }
});

it('follows each link once, however many lead through it, and however long the targets are', () => {
  const detour = './'.repeat(2000);
  const links: Record<string, string> = {};
  for (let index = 0; index < 38; index += 1) links[`c${index}`] = `${detour}c${index + 1}`;
  for (let index = 0; index < 3000; index += 1) links[`x${index}`] = 'c0';
  const tree = treeOf(links);
  const { resolve } = createLinkResolver(tree, { tangled });
  for (let index = 0; index < 3000; index += 1) expect(resolve(`x${index}`)).toBe('c38');
  expect(tree.asked.count).toBeLessThan(6 * 3038);
});

it('bears chains and circles of any length', () => {
  const count = 50_000;
  const links = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`c${index}`, `c${(index + 1) % count}`]),
  );
  const { resolve } = createLinkResolver(treeOf(links), { tangled });
  for (const path of ['c0', 'c7']) expect(resolve(path)).toBeNull();
});

it('gives up where all the targets together are too much work, and not because it is asked often', () => {
  const links = { a: 'b/../b/../b/../c', x: 'd/../d/../d/../d' };
  const { resolve } = createLinkResolver(treeOf(links), { tangled, maxWork: 100 });
  for (let round = 0; round < 100; round += 1) expect(resolve('a')).toBe('c');
  expect(() => resolve('x')).toThrow('tangled');
});

it('gives up paths that are longer than any may be, which links could make grow for ever', () => {
  const links = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`c${index}`, `c${index + 1}/${'a'.repeat(250)}`]),
  );
  const { resolve } = createLinkResolver(treeOf(links), { tangled });
  expect(resolve('c29')).toBe(`c30/${'a'.repeat(250)}`);
  expect(resolve('c0')).toBeNull();
});

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { confirmInstalledTrees, findInstalledTrees, keepInstalledTrees } from './installed-trees.ts';

function openFolders() {
  const home = mkdtempSync(join(tmpdir(), 'lilac-installed-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const source = join(home, 'source');
  const install = (name: string) => {
    for (const place of ['node_modules', 'packages/a/node_modules']) {
      mkdirSync(join(source, place), { recursive: true });
      writeFileSync(join(source, place, name), name);
    }
  };
  return { kept: join(home, 'kept'), source, install };
}

it('are moved away, and found by later builds once they are confirmed', async () => {
  const { kept, source, install } = openFolders();
  install('first');
  const made = await keepInstalledTrees(kept, source, '.');
  expect(existsSync(join(source, 'node_modules'))).toBe(false);
  expect(await findInstalledTrees(kept, source)).toBeNull();
  await confirmInstalledTrees(made!);
  expect(await findInstalledTrees(kept, source)).toEqual(made);
  expect(made!.places.toSorted()).toEqual(['node_modules', 'packages/a/node_modules']);
});

it('take the place of others whole, or are not found at all', async () => {
  const { kept, source, install } = openFolders();
  install('first');
  await confirmInstalledTrees((await keepInstalledTrees(kept, source, '.'))!);
  install('second');
  const made = await keepInstalledTrees(kept, source, '.');
  expect(await findInstalledTrees(kept, source)).toBeNull();
  await confirmInstalledTrees(made!);
  expect([0, 1].map((tree) => ['first', 'second'].map((name) => existsSync(join(kept, String(tree), name))))).toEqual([
    [false, true],
    [false, true],
  ]);
});

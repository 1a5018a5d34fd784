import { chmodSync, existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from './exec.ts';
import { removeTree } from './remove-tree.ts';

const DIG = 'i=0; while [ $i -lt 300 ]; do mkdir dddddddddddddddddddd; cd -P dddddddddddddddddddd; i=$((i+1)); done';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-remove-'));
  onTestFinished(() => removeTree(folder));
  return folder;
}

it('removes a folder whose paths are longer than the kernel takes at once', async () => {
  const folder = makeFolder();
  const deep = join(folder, 'deep');
  mkdirSync(deep);
  const dug = await run(['bash', '-c', DIG], { cwd: deep, env: { PATH: '/usr/bin:/bin' } });
  expect(dug.exitCode).toBe(0);
  await removeTree(deep);
  expect(existsSync(deep)).toBe(false);
});

it('removes folders that were shut, and nothing that links lead to', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'gone', 'shut'), { recursive: true });
  writeFileSync(join(folder, 'kept'), '');
  symlinkSync(folder, join(folder, 'gone', 'link'));
  chmodSync(join(folder, 'gone', 'shut'), 0);
  await removeTree(join(folder, 'gone'));
  expect(existsSync(join(folder, 'gone'))).toBe(false);
  expect(existsSync(join(folder, 'kept'))).toBe(true);
});

it('is content where there is nothing', async () => {
  await expect(removeTree(join(makeFolder(), 'nothing'))).resolves.toBeUndefined();
});

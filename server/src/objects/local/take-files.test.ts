import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { INCOMING } from './incoming.ts';
import { takeFiles } from './take-files.ts';

function filesToTake(count: number) {
  const home = mkdtempSync(join(tmpdir(), 'lilac-take-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [root, made] = [join(home, 'objects'), join(home, 'made')];
  mkdirSync(made);
  const files = Array.from({ length: count }, (_, index) => {
    const from = join(made, String(index));
    writeFileSync(from, `content ${index}`);
    return { from, path: join(root, String(index % 8), String(index)) };
  });
  const look = () => ({
    comingIn: readdirSync(join(root, INCOMING)).length,
    inPlace: files.filter(({ path }) => existsSync(path)).length,
  });
  return { root, files, look };
}

it('brings many files to the disk together before any has its name, and then the names', async () => {
  const { root, files, look } = filesToTake(100);
  const seen: ReturnType<typeof look>[] = [];
  await takeFiles(root, files, async () => seen.push(look()) > 0);
  expect(seen).toEqual([
    { comingIn: 100, inPlace: 0 },
    { comingIn: 0, inPlace: 100 },
  ]);
  for (const [index, { path }] of files.entries()) expect(readFileSync(path, 'utf8')).toBe(`content ${index}`);
});

it('brings them there one by one where that cannot be', async () => {
  const { root, files, look } = filesToTake(100);
  await takeFiles(root, files, async () => false);
  expect(look()).toEqual({ comingIn: 0, inPlace: 100 });
});

it('does not write what others have for a few files', async () => {
  const { root, files, look } = filesToTake(10);
  let asked = 0;
  await takeFiles(root, files, async () => ++asked > 0);
  expect({ asked, ...look() }).toEqual({ asked: 0, comingIn: 0, inPlace: 10 });
});

it('leaves nothing half-way where one of many cannot be taken', async () => {
  const { root, files, look } = filesToTake(100);
  rmSync(files[99]!.from);
  mkdirSync(files[99]!.from);
  await expect(takeFiles(root, files, async () => true)).rejects.toThrow('is not a file');
  expect(look()).toEqual({ comingIn: 0, inPlace: 0 });
});

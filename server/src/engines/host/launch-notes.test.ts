import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findMain, isNoted, prepareLaunch, settleLaunches } from './launch-notes.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-notes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const own = () => readFileSync(`/proc/${process.pid}/stat`, 'utf8');

it('who has noted itself and lives is the main process', async () => {
  const folder = makeFolder();
  const note = prepareLaunch(folder);
  expect([isNoted(note), findMain(folder)]).toEqual([false, null]);
  writeFileSync(note, own());
  expect(isNoted(note)).toBe(true);
  expect(findMain(folder)?.pid).toBe(process.pid);
  expect((await settleLaunches(folder))?.pid).toBe(process.pid);
});

it('a start that was given up cannot note itself any more', async () => {
  const folder = makeFolder();
  const note = prepareLaunch(folder);
  expect(await settleLaunches(folder)).toBeNull();
  expect(existsSync(dirname(note))).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

it('one that is just noting itself is waited for', async () => {
  const folder = makeFolder();
  const note = prepareLaunch(folder);
  writeFileSync(note, '');
  const settled = settleLaunches(folder);
  const aside = join(folder, readdirSync(folder)[0] ?? '', 'process');
  writeFileSync(aside, own());
  expect((await settled)?.pid).toBe(process.pid);
  expect(findMain(folder)?.pid).toBe(process.pid);
});

it('what ran before the machine was started anew is nobody, whatever its number is now', async () => {
  const folder = makeFolder();
  const note = prepareLaunch(folder);
  writeFileSync(note, own());
  renameSync(dirname(note), join(folder, 'launch.00000000.0'));
  expect(findMain(folder)).toBeNull();
  expect(await settleLaunches(folder)).toBeNull();
  expect(readdirSync(folder)).toEqual([]);
});

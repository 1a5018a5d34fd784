import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { clearMarks, hasMarks, markedLaunch, markLaunch, markPath, shutMarks } from './service-marks.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-marks-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('a start is marked until nothing of it is left, and once it is shut its container finds no mark', () => {
  const folder = makeFolder();
  expect([hasMarks(folder), markedLaunch(folder)]).toEqual([false, null]);
  const launch = markLaunch(folder);
  expect([hasMarks(folder), markedLaunch(folder)]).toEqual([true, launch]);
  expect(existsSync(markPath(folder, launch))).toBe(true);
  clearMarks(folder);
  expect(markedLaunch(folder)).toBe(launch);
  shutMarks(folder);
  expect([hasMarks(folder), markedLaunch(folder)]).toEqual([true, null]);
  expect(existsSync(markPath(folder, launch))).toBe(false);
  clearMarks(folder);
  expect(readdirSync(folder)).toEqual([]);
});

it('a folder that is not there has none', () => {
  const folder = join(makeFolder(), 'nowhere');
  expect([hasMarks(folder), markedLaunch(folder)]).toEqual([false, null]);
});

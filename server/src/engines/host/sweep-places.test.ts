import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { identify } from '../../lib/process-identity.ts';
import { PROBE, probeNameOf } from './abilities.ts';
import { makeImage, mountVolume } from './image-volume.ts';
import { sweepFolders } from './sweep-places.ts';
import { makeHome } from './testing/host-bench.ts';

function openFolders() {
  const home = makeHome();
  const root = join(home, 'databases');
  mkdirSync(root);
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { home, root };
}

function probe(folder: string, name: string): string {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'volume.img'), '');
  return join(folder, name);
}

/** Nobody: the numbers of processes end before. */
const gone = { pid: 2 ** 30, startTime: '1' };

it('removes what somebody who was killed had tried in, and nothing that is being tried in', async () => {
  const { home, root } = openFolders();
  const run = join(home, 'run');
  mkdirSync(run);
  const left = [
    probe(run, `${probeNameOf(gone)}f`),
    probe(root, `${probeNameOf(gone)}abc`),
    probe(root, `${PROBE}Xy1234`),
    probe(home, `${probeNameOf(gone)}d`),
  ];
  const own = probeNameOf(identify(process.pid)!);
  const kept = [probe(root, `${own}e`), probe(root, 'dbs_1'), probe(run, `${own}g`), probe(run, 'edges')];
  await sweepFolders(root, home);
  expect(left.map((folder) => existsSync(folder))).toEqual(left.map(() => false));
  expect(kept.map((folder) => existsSync(folder))).toEqual(kept.map(() => true));
});

it.runIf(process.getuid?.() === 0)('unmounts it first', async () => {
  const { home, root } = openFolders();
  const folder = join(root, `${probeNameOf(gone)}abc`);
  mkdirSync(folder);
  await makeImage(folder, 300 * 1024 ** 2);
  await mountVolume(folder);
  await sweepFolders(root, home);
  expect(existsSync(folder)).toBe(false);
  expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(home);
});

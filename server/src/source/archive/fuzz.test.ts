import fc from 'fast-check';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { expect, it } from 'vitest';
import { Fault } from '../../lib/fault.ts';
import { assertFuzzed, fuzzRuns, mutationsOf, readCorpus } from '../../testing/fuzz-settings.ts';
import { openArchiveTree } from './open-archive-tree.ts';
import { archiveInMemory } from './testing/archive-in-memory.ts';
import { inspectArchive } from './testing/inspect-archive.ts';
import { makeZip } from './testing/make-zip.ts';
import { unpackArchive } from './unpack-archive.ts';

const valid = makeZip([
  { name: 'index.html', content: '<h1>Hello</h1>'.repeat(20) },
  { name: 'deep/folder/file', content: 'stored', method: 0 },
  { name: 'deep/link', content: 'folder/file', method: 0, mode: 0o120777 },
  { name: 'run', content: '#!/bin/sh', mode: 0o100755 },
  { name: 'empty/', mode: 0o040755 },
]);

/** What other programs have written, beside our own; what unpacks to very much must be refused in time. */
const corpus = [valid, ...readCorpus('archives')];
const telling = [
  'PK\x01\x02',
  'PK\x03\x04',
  'PK\x05\x06',
  'PK\x06\x06',
  '../',
  '/',
  '\\',
  '\0',
  '\xff\xff\xff\xff',
  '\0\0',
];
const names = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('..', '.', '', 'a', '/', '\\', '../..', 'a/../..'),
  ),
  { minLength: 1, maxLength: 4 },
);

const index = { name: 'index.html', content: 'x' };

/** Names as they should be, and targets that go up and down again: only where they lead decides. */
const folders = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
const pathWith = (name: fc.Arbitrary<string>) => fc.tuple(folders, name).map(([path, own]) => [...path, own].join('/'));
const target = fc
  .tuple(
    fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom('/', './', 'a/')),
    fc.array(fc.constantFrom('..', '..', '..', '.', ''), { maxLength: 4 }),
    fc.array(fc.constantFrom('a', 'b', 'l0', 'f0', 'index.html'), { maxLength: 2 }),
    fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom('/', '/..', '/.')),
  )
  .map(([start, up, down, end]) => start + [...up, ...down].join('/') + end);
const link = fc
  .tuple(pathWith(fc.constantFrom('l0', 'l1', 'l2')), target)
  .map(([name, content]) => ({ name, content, mode: 0o120777 }));
const file = pathWith(fc.constantFrom('f0', 'f1')).map((name) => ({ name, content: 'x', mode: 0o100644 }));
const linkedEntries = fc
  .tuple(link, fc.array(fc.oneof(link, file), { maxLength: 3 }))
  .map(([first, others]) => [first, ...others])
  .map((entries) => entries.filter(({ name }, at) => entries.findIndex((other) => other.name === name) === at));

/**
 * Either all of it is unpacked below the folder, or it is refused with words for the caller. Says how many links were
 * made.
 */
async function tryOut(bytes: Buffer): Promise<number> {
  const outside = mkdtempSync(join(tmpdir(), 'lilac-fuzz-'));
  const folder = join(outside, 'unpacked');
  const source = archiveInMemory(bytes);
  try {
    await isFault(inspectArchive(source));
    await isFault(openArchiveTree(source).then(async (tree) => [await tree.list(''), await tree.read('deep/link')]));
    await isFault(unpackArchive(source, folder));
    expect(readdirSync(outside).filter((name) => name !== 'unpacked')).toEqual([]);
    return readdirSync(outside).length > 0 ? assertAllInside(folder) : 0;
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
}

async function isFault(work: Promise<unknown>): Promise<void> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error !== null && !(error instanceof Fault && error.code === 'AR001')) throw error;
}

function assertAllInside(folder: string): number {
  let links = 0;
  for (const path of pathsBelow(folder)) {
    const status = lstatSync(path);
    expect(status.isFile() || status.isDirectory() || status.isSymbolicLink()).toBe(true);
    expect(status.mode & 0o7000).toBe(0);
    const real = realPathOf(path);
    if (real !== null) expect(isInside(realpathSync(folder), real)).toBe(true);
    if (!status.isSymbolicLink()) continue;
    links++;
    // Also where there is nothing yet. The link's folder is a real one, so its steps up lead where they seem to.
    const target = readlinkSync(path);
    const leadsTo = resolve(dirname(path), target);
    expect({ target, leadsTo, isInside: isInside(folder, leadsTo) }).toEqual({ target, leadsTo, isInside: true });
  }
  return links;
}

/** Not through links: one that leads to a folder above it has no end. */
function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
  });
}

const isInside = (folder: string, path: string) => path === folder || path.startsWith(folder + sep);

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

it('an archive with any bytes changed, cut or doubled never breaks us and never gets out', async () => {
  for (const bytes of corpus) await tryOut(bytes);
  const checked = assertFuzzed(
    fc.asyncProperty(mutationsOf(corpus, telling), async (bytes) => void (await tryOut(bytes))),
    fuzzRuns(400, 0.4),
  );
  await expect(checked).resolves.toBeUndefined();
});

it('entries and links of any name never get out', async () => {
  const kind = fc.constantFrom(0o100644, 0o120777, 0o040755, 0o106755);
  const part = fc.record({
    name: names.map((parts) => parts.join('/')),
    content: names.map((parts) => parts.join('/')),
    mode: kind,
  });
  const checked = assertFuzzed(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      async (parts) => void (await tryOut(makeZip([index, ...parts]))),
    ),
    fuzzRuns(400, 0.3),
  );
  await expect(checked).resolves.toBeUndefined();
});

it('links of any target never get out', async () => {
  let unpacked = 0;
  let refused = 0;
  const checked = assertFuzzed(
    fc.asyncProperty(linkedEntries, async (entries) => {
      if ((await tryOut(makeZip([index, ...entries]))) > 0) unpacked++;
      else refused++;
    }),
    fuzzRuns(400, 0.3),
  );
  await expect(checked).resolves.toBeUndefined();
  // Nothing is learned of links where nothing is unpacked, and little where nothing is tried.
  expect(unpacked).toBeGreaterThan(80);
  expect(refused).toBeGreaterThan(80);
});

import fc from 'fast-check';
import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
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

/** Either all of it is unpacked below the folder, or it is refused with words for the caller. */
async function tryOut(bytes: Buffer): Promise<void> {
  const outside = mkdtempSync(join(tmpdir(), 'lilac-fuzz-'));
  const folder = join(outside, 'unpacked');
  const source = archiveInMemory(bytes);
  try {
    await isFault(inspectArchive(source));
    await isFault(openArchiveTree(source).then(async (tree) => [await tree.list(''), await tree.read('deep/link')]));
    await isFault(unpackArchive(source, folder));
    expect(readdirSync(outside).filter((name) => name !== 'unpacked')).toEqual([]);
    if (readdirSync(outside).length > 0) assertAllInside(folder);
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

function assertAllInside(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const status = lstatSync(path);
    expect(status.isFile() || status.isDirectory() || status.isSymbolicLink()).toBe(true);
    expect(status.mode & 0o7000).toBe(0);
    const real = realPathOf(path);
    if (real !== null) expect(real.startsWith(realpathSync(folder) + sep) || real === folder).toBe(true);
  }
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

it('an archive with any bytes changed, cut or doubled never breaks us and never gets out', async () => {
  for (const bytes of corpus) await tryOut(bytes);
  const checked = assertFuzzed(fc.asyncProperty(mutationsOf(corpus, telling), tryOut), fuzzRuns(400, 0.5));
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
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) =>
      tryOut(makeZip([{ name: 'index.html', content: 'x' }, ...parts])),
    ),
    fuzzRuns(400, 0.5),
  );
  await expect(checked).resolves.toBeUndefined();
});

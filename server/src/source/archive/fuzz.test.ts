import fc from 'fast-check';
import { lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { expect, it } from 'vitest';
import { Fault } from '../../lib/fault.ts';
import { inspectArchive } from './inspect-archive.ts';
import { openArchiveTree } from './open-archive-tree.ts';
import { archiveInMemory } from './testing/archive-in-memory.ts';
import { makeZip } from './testing/make-zip.ts';
import { unpackArchive } from './unpack-archive.ts';

const valid = makeZip([
  { name: 'index.html', content: '<h1>Hello</h1>'.repeat(20) },
  { name: 'deep/folder/file', content: 'stored', method: 0 },
  { name: 'deep/link', content: 'folder/file', method: 0, mode: 0o120777 },
  { name: 'run', content: '#!/bin/sh', mode: 0o100755 },
  { name: 'empty/', mode: 0o040755 },
]);

const changes = fc.array(
  fc.oneof(
    fc.record({ at: fc.nat(valid.length - 1), byte: fc.nat(255) }),
    // What the format itself is made of, where it hurts.
    fc.record({ at: fc.nat(valid.length - 1), byte: fc.constantFrom(0x2e, 0x2f, 0x5c, 0xff, 0x00, 0x50, 0x4b) }),
  ),
  { minLength: 1, maxLength: 12 },
);
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
  const checked = fc.assert(
    fc.asyncProperty(changes, fc.nat(valid.length), fc.boolean(), async (edits, cut, isCut) => {
      const bytes = Buffer.from(valid);
      for (const { at, byte } of edits) bytes[at] = byte;
      await tryOut(
        isCut ? Buffer.concat([bytes.subarray(0, cut), bytes.subarray(Math.min(cut + 7, bytes.length))]) : bytes,
      );
    }),
    { numRuns: 400 },
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
  const checked = fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) =>
      tryOut(makeZip([{ name: 'index.html', content: 'x' }, ...parts])),
    ),
    { numRuns: 400 },
  );
  await expect(checked).resolves.toBeUndefined();
});

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationNames } from '../db/migrate.ts';
import { openKeyring } from '../secrets/key-file.ts';
import type { TestStore } from '../testing/test-store.ts';
import { BackupParts } from './backup-parts.ts';
import { contentOf, openBackupBench, type BackupBench } from './testing/backup-bench.ts';

/** One for all: nothing here may change the store, and everybody gets the file as it was written. */
const bench = openBackupBench();
let store: TestStore;
let whole: Buffer;
const look = async () => ({ content: await contentOf(store), keys: readFileSync(bench.keysThere, 'utf8') });
let before: Awaited<ReturnType<typeof look>>;

beforeAll(async () => {
  store = await bench.filledStore();
  await bench.write(store);
  whole = readFileSync(bench.path);
  openKeyring(bench.keysThere);
  before = await look();
});
afterAll(async () => {
  await store?.[Symbol.asyncDispose]();
  bench[Symbol.dispose]();
});

/** Changes a backup's file, tries to restore it over a store in use, and tells what came of it. */
async function restoreChanged(change: (bench: BackupBench) => void) {
  writeFileSync(bench.path, whole);
  change(bench);
  const refusal = await bench.restore(store, { replace: true }).then(
    () => 'restored',
    (error: Error) => `${error.name === 'Error' ? '' : error.name}${error.message}`,
  );
  expect(await look()).toEqual(before);
  return refusal;
}

/** Bytes and characters one to one, so that nothing but what is meant changes. */
function rewrite({ path }: BackupBench, change: (text: string) => string): void {
  const text = gunzipSync(readFileSync(path)).toString('latin1');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, gzipSync(Buffer.from(changed, 'latin1')));
}

/** As somebody would who means it. */
function withChecksum(text: string): string {
  const at = text.lastIndexOf('\n', text.length - 2) + 1;
  const sha256 = createHash('sha256').update(text.slice(0, at), 'latin1').digest('hex');
  return text.slice(0, at) + text.slice(at).replace(/"sha256":"\w+"/, `"sha256":"${sha256}"`);
}

describe('a restore is refused, and nothing is changed, when', () => {
  it.each([0, 0.1, 0.5, 0.9, 0.999])('the file is cut off after %d of it', async (share) => {
    const refusal = await restoreChanged(({ path }) => {
      writeFileSync(path, whole.subarray(0, Math.floor(whole.length * share)));
    });
    expect(refusal).toMatch(/cannot be restored: it is (damaged, cut short|cut short)/);
  });

  it('a byte of the compressed file was changed', async () => {
    const refusal = await restoreChanged(({ path }) => {
      const bytes = readFileSync(path);
      // Not among the long runs of one letter: there another distance gives the same text.
      bytes[500]! ^= 0x10;
      writeFileSync(path, bytes);
    });
    expect(refusal).toMatch('cannot be restored');
  });

  it.each<[string, (text: string) => string, string]>([
    ['a value was changed', (text) => text.replace('.first_name.', '.first-name.'), 'checksum'],
    ['a row is missing', (text) => text.replace(/\n[^\n]*users\.email\.0[^\n]*/, ''), 'checksum'],
    [
      'a row is missing and the checksum is right',
      (text) => withChecksum(text.replace(/\n[^\n]*users\.email\.0[^\n]*/, '')),
      'checksum',
    ],
    [
      'a table is there twice',
      (text) => withChecksum(text.replace(/(\{"table":"users".*?\n\\\.\n)/s, '$1$1')),
      'table',
    ],
    ['its last line is missing', (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), 'cut short'],
    ['something follows its end', (text) => `${text}{}\n`, 'follows its end'],
    [
      'it is of a later format',
      (text) => withChecksum(text.replace('"version":2', '"version":3')),
      'update this one first',
    ],
    [
      'it is of a later schema',
      (text) => withChecksum(text.replaceAll(migrationNames().at(-1)!, '9999-later')),
      'Update this Lilac first',
    ],
    ['it lacks its keys', (text) => withChecksum(text.replace('"keys":', '"notkeys":')), 'incomplete'],
    ['it is something else', () => '{"name":"x"}\n', 'something else'],
    ['it is no JSON', () => 'hello\n', 'does not belong there'],
    ['it is empty', () => '', 'cut short'],
  ])('%s', async (_name, change, message) => {
    expect(await restoreChanged((bench) => rewrite(bench, change))).toMatch(message);
  });

  it('the file is not gzip at all', async () => {
    expect(await restoreChanged(({ path }) => writeFileSync(path, 'select 1'))).toMatch('cannot be restored');
  });
});

describe('a file that is not there', () => {
  it('is named', async () => {
    const path = `${bench.path}.missing`;
    await expect(bench.restore(store, { path })).rejects.toThrow(`There is no file at ${path}.`);
  });
});

describe('the parts of a backup', () => {
  it('are the same however the text is cut into pieces', () => {
    const text = gunzipSync(whole);
    const parts = partsOf([text]);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        expect(partsOf(edges.slice(1).map((to, at) => text.subarray(edges[at], to)))).toEqual(parts);
      }),
      { numRuns: 50 },
    );
  });
});

function partsOf(pieces: Buffer[]): { lines: string[]; rows: string } {
  const parts = new BackupParts();
  const lines: string[] = [];
  const hash = createHash('sha256');
  for (const part of pieces.flatMap((piece) => [...parts.read(piece)])) {
    if (part.kind === 'rows') hash.update(part.text);
    else if (part.kind === 'bytes') hash.update(part.bytes);
    else lines.push(JSON.stringify(part));
  }
  parts.end();
  return { lines, rows: hash.digest('hex') };
}

import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { blobKey } from '../../artifacts/static-manifest.ts';
import { run } from '../../lib/exec.ts';
import { silentLog } from '../../lib/log.ts';
import { createLocalObjectStore } from '../../objects/local/local-object-store.ts';
import { ObjectMissing, type ObjectStore } from '../../objects/object-store.ts';
import { createSandbox } from '../../sandbox/create-sandbox.ts';
import { StartRefused } from '../runtime.ts';
import { NOT_WHAT_WAS_BUILT } from './not-what-was-built.ts';
import { createUnpacker } from './unpack-slug.ts';

const REFUSED = new StartRefused(NOT_WHAT_WAS_BUILT);
const isRoot = process.getuid?.() === 0;
const uid = isRoot ? 31_000 : (process.getuid?.() ?? 0);
let home: string;
let objects: ObjectStore;
let tree: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lilac-unpack-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  objects = createLocalObjectStore({
    root: join(home, 'objects'),
    signingKey: Buffer.alloc(32),
    publicUrl: new URL('http://lilac.test'),
  });
  tree = join(home, 'tree');
  mkdirSync(tree);
  if (isRoot) chownSync(tree, uid, uid);
});

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Packed as it is; under the hash that it has, or another. */
async function unpackPacked(packed: Buffer, hash = hashOf(packed)): Promise<void> {
  await objects.put(blobKey(hash), packed);
  await unpackObject(hash);
}

const unpack = (archive: Buffer): Promise<void> => unpackPacked(zstdCompressSync(archive));

async function unpackObject(hash: string): Promise<void> {
  const sandbox = createSandbox({ config: { home }, log: silentLog });
  await createUnpacker({ objects, sandbox })({ artifactId: 'a', hash, uid }, tree);
}

async function pack(): Promise<Buffer> {
  return zstdCompressSync(await archiveOf((folder) => writeFileSync(join(folder, 'program'), 'x'.repeat(1000)), '.'));
}

async function archiveOf(prepare: (folder: string) => void, ...words: string[]): Promise<Buffer> {
  const folder = join(home, 'source');
  mkdirSync(folder);
  prepare(folder);
  await run(['tar', '-cPf', join(home, 'tar'), '-C', folder, ...words], { env: { PATH: '/usr/bin:/bin' } });
  return readFileSync(join(home, 'tar'));
}

describe('the archive of a server', () => {
  it('is unpacked as it was packed, and belongs to the user it is for', async () => {
    await unpack(
      await archiveOf((folder) => {
        writeFileSync(join(folder, 'program'), '#!/bin/sh', { mode: 0o755 });
        symlinkSync('program', join(folder, 'link'));
      }, '.'),
    );
    expect(lstatSync(join(tree, 'program'))).toMatchObject({ uid, mode: 0o100755 });
    expect(lstatSync(join(tree, 'link')).isSymbolicLink()).toBe(true);
  });

  it('cannot write anywhere else, by whatever names and links', async () => {
    const victim = join(home, 'victim');
    mkdirSync(victim, { mode: 0o777 });
    const archive = await archiveOf(
      (folder) => {
        symlinkSync(victim, join(folder, 'way'));
        mkdirSync(join(folder, 'real'));
        writeFileSync(join(folder, 'real', 'file'), 'evil');
        writeFileSync(join(folder, 'plain'), 'evil');
      },
      '--transform=s,^real,way,',
      '--transform=s,^plain,../../victim/plain,',
      'way',
      'real/file',
      'plain',
    );
    await unpack(archive).catch(() => {});
    expect(readdirSync(victim)).toEqual([]);
    expect(existsSync(join(home, '..', 'victim'))).toBe(false);
  });

  it('that is broken is told, with what tar said', async () => {
    await expect(unpack(Buffer.from('this is no archive'.repeat(100)))).rejects.toThrow(/could not be unpacked.*tar/s);
    await expect(unpackPacked(Buffer.from('this is not compressed'))).rejects.toThrow(/frame descriptor/);
  });

  it('that is gone is told as such', async () => {
    await expect(unpackObject('ab'.repeat(32))).rejects.toThrow(ObjectMissing);
  });
});

describe('the archive of a server that is not what was built', () => {
  it('is refused where it is another, though it can be unpacked', async () => {
    await expect(unpackPacked(await pack(), 'ab'.repeat(32))).rejects.toStrictEqual(REFUSED);
  });

  it('is refused where something comes after it, and only then', async () => {
    const packed = await pack();
    // A frame of its own, behind the end of the archive: whoever unpacks does not want it.
    const more = Buffer.concat([packed, zstdCompressSync(randomBytes(4 * 1024 ** 2))]);
    await expect(unpackPacked(more, hashOf(packed))).rejects.toStrictEqual(REFUSED);
    await expect(unpackPacked(more)).resolves.toBeUndefined();
  });

  it('is refused where it is damaged or broken off, and so cannot be unpacked', async () => {
    const packed = await pack();
    const hash = hashOf(packed);
    await expect(unpackPacked(Buffer.from('this is not compressed'), hash)).rejects.toStrictEqual(REFUSED);
    await expect(unpackPacked(packed.subarray(0, packed.length - 5), hash)).rejects.toStrictEqual(REFUSED);
  });
});

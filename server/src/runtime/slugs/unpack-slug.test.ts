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
import { createUnpacker } from './unpack-slug.ts';

const HASH = 'ab'.repeat(32);
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

async function unpack(archive: Buffer): Promise<void> {
  await objects.put(blobKey(HASH), zstdCompressSync(archive));
  const sandbox = createSandbox({ config: { home }, log: silentLog });
  await createUnpacker({ objects, sandbox })({ artifactId: 'a', hash: HASH, uid }, tree);
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
    await objects.put(blobKey(HASH), Buffer.from('this is not compressed'));
    const sandbox = createSandbox({ config: { home }, log: silentLog });
    await expect(createUnpacker({ objects, sandbox })({ artifactId: 'a', hash: HASH, uid }, tree)).rejects.toThrow(
      /frame descriptor/,
    );
  });

  it('that is gone is told as such', async () => {
    const sandbox = createSandbox({ config: { home }, log: silentLog });
    const unpacking = createUnpacker({ objects, sandbox })({ artifactId: 'a', hash: HASH, uid }, tree);
    await expect(unpacking).rejects.toThrow(ObjectMissing);
  });
});

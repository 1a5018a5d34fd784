import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { soleLeadership } from '../../jobs/leadership.ts';
import { run } from '../../lib/exec.ts';
import { createLocalObjectStore } from '../../objects/local/local-object-store.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { StartRefused } from '../runtime.ts';
import { findOrPack, openSeal, packTool } from './pack-tool.ts';

const sealKey = Buffer.alloc(32, 1);

function openBench() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-tool-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const from = join(folder, 'tool');
  mkdirSync(from);
  writeFileSync(join(from, 'program'), 'true');
  const objects = createLocalObjectStore({
    root: join(folder, 'objects'),
    signingKey: Buffer.alloc(32),
    publicUrl: new URL('http://localhost'),
  });
  return { folder, from, objects, deps: { objects, sealKey, leadership: soleLeadership } };
}

const hashOf = async (objects: ObjectStore, key: string): Promise<string> =>
  createHash('sha256')
    .update(await buffer(objects.read(key)))
    .digest('hex');

async function keysOf(objects: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of objects.list('tools/')) keys.push(key);
  return keys;
}

describe('a packed tool', () => {
  it('has only a hash that the platform itself has sealed', async () => {
    const { from, objects, deps } = openBench();
    const forged = 'f'.repeat(64);
    await objects.put('tools/forged.seal', Buffer.from(`${forged} tools/forged-1.tar.zst ${forged}`));
    const packed = await packTool('tools/forged', from, deps);
    expect(packed.hash).toBe(await hashOf(objects, packed.key));
    const written = (await buffer(objects.read('tools/forged.seal'))).toString();
    expect(openSeal('tools/forged', written, sealKey)).toEqual(packed);
    expect(openSeal('tools/another', written, sealKey)).toBeNull();
    expect(openSeal('tools/forged', written, Buffer.alloc(32, 2))).toBeNull();
    expect(openSeal('tools/forged', written.replace(packed.key, 'tools/other'), sealKey)).toBeNull();
  });

  it('is a tar of the folder, whole', async () => {
    const { folder, from, objects, deps } = openBench();
    writeFileSync(join(from, 'large'), Buffer.alloc(5_000_000, 'x'));
    const { key } = await packTool('tools/whole', from, deps);
    const [archive, out] = [join(folder, 'out.tar'), join(folder, 'out')];
    writeFileSync(archive, zstdDecompressSync(await buffer(objects.read(key))));
    mkdirSync(out);
    await run(['tar', '--extract', `--file=${archive}`, '--directory', out], { env: { PATH: '/usr/bin:/bin' } });
    expect(readFileSync(join(out, 'large')).equals(readFileSync(join(from, 'large')))).toBe(true);
    expect(readFileSync(join(out, 'program'), 'utf8')).toBe('true');
  });

  it('fits its hash where two workers pack it at once, and is packed no third time', async () => {
    const { from, objects, deps } = openBench();
    const other = join(from, '..', 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'program'), 'the same tool, packed with other bytes');
    const both = await Promise.all([findOrPack('tools/twice', from, deps), findOrPack('tools/twice', other, deps)]);
    for (const { key, hash } of both) expect(await hashOf(objects, key)).toBe(hash);
    expect(both).toContainEqual(await findOrPack('tools/twice', from, deps));
  });

  it('is packed again where it is gone', async () => {
    const { from, objects, deps } = openBench();
    const first = await findOrPack('tools/gone', from, deps);
    await objects.remove(first.key);
    const { key, hash } = await findOrPack('tools/gone', from, deps);
    expect(await hashOf(objects, key)).toBe(hash);
  });

  it('is written by nobody who leads no more', async () => {
    const { from, objects, deps } = openBench();
    const isOver = new Error('another leads');
    const leadership = { certain: () => Promise.reject(isOver) };
    await expect(findOrPack('tools/late', from, { ...deps, leadership })).rejects.toBe(isOver);
    expect(await keysOf(objects)).toEqual([]);
  });

  it('that cannot be packed is refused in the words of tar, and nothing of it is kept', async () => {
    const { from, objects, deps } = openBench();
    const packing = packTool('tools/missing', join(from, 'missing'), deps);
    await expect(packing).rejects.toThrow(/cannot be packed.*missing: Cannot open: No such file or directory/s);
    await expect(packing).rejects.toBeInstanceOf(StartRefused);
    expect(await keysOf(objects)).toEqual([]);
  });
});

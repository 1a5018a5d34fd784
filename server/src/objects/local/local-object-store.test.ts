import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { conformToObjectStore } from '../conformance.ts';
import { eventually } from '../../testing/eventually.ts';
import { INCOMING } from './incoming.ts';
import { createLocalObjectStore } from './local-object-store.ts';
import { openLocalSubject } from './testing/local-subject.ts';

describe('the local object store', () => {
  conformToObjectStore(openLocalSubject);
});

function openStore() {
  const root = join(mkdtempSync(join(tmpdir(), 'lilac-objects-')), 'objects');
  onTestFinished(() => rmSync(join(root, '..'), { recursive: true, force: true }));
  const options = { root, signingKey: Buffer.alloc(32, 1), publicUrl: new URL('http://lilac.test') };
  return { root, objects: createLocalObjectStore(options), incoming: join(root, INCOMING) };
}

const modeOf = (path: string) => statSync(path).mode & 0o7777;

describe('on the disk', () => {
  it('an object is the file of its key, ours alone, whoever made it and with whatever mode', async () => {
    const { root, objects, incoming } = openStore();
    await objects.put('a/stream', Buffer.from('x'));
    const made = join(root, '..', 'made');
    writeFileSync(made, 'made', { mode: 0o4777 });
    if (process.getuid?.() === 0) chownSync(made, 12_345, 12_345);
    await objects.putFiles([{ key: 'a/made', path: made }]);
    for (const key of ['a/stream', 'a/made']) {
      expect(modeOf(join(root, key))).toBe(0o600);
      expect(statSync(join(root, key)).uid).toBe(process.getuid?.());
    }
    expect(modeOf(join(root, 'a'))).toBe(0o700);
    expect(readdirSync(incoming)).toEqual([]);
  });

  it('a thousand files are moved, not copied', async () => {
    const { root, objects } = openStore();
    const folder = join(root, '..', 'files');
    mkdirSync(folder);
    const files = Array.from({ length: 1000 }, (_, index) => {
      const path = join(folder, String(index));
      writeFileSync(path, `content ${index}`);
      return { key: `blobs/${index % 16}/${index}`, path, inode: statSync(path).ino };
    });
    await objects.putFiles(files);
    for (const { key, inode } of files) expect(statSync(join(root, key)).ino).toBe(inode);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('sweeps what a killed process left half-written, and not what is being written', async () => {
    const { root, objects, incoming } = openStore();
    const source = new PassThrough();
    const writing = objects.put('written', source);
    source.write('half ');
    await eventually('the file is begun', () => existsSync(incoming) && readdirSync(incoming).length === 1);
    const module = join(import.meta.dirname, 'local-object-store.ts');
    const killed = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { createLocalObjectStore } from ${JSON.stringify(module)};
       const options = { root: ${JSON.stringify(root)}, signingKey: Buffer.alloc(32), publicUrl: new URL('http://a.test') };
       createLocalObjectStore(options).put('killed', process.stdin);`,
    ]);
    killed.stdin.write('half');
    await eventually('the other process has begun', () => readdirSync(incoming).length === 2);
    await objects.sweep();
    expect(readdirSync(incoming)).toHaveLength(2);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    await objects.sweep();
    expect(readdirSync(incoming)).toHaveLength(1);
    expect(await objects.stat('killed')).toBeNull();
    source.end('and whole');
    expect(await writing).toEqual({ size: 14 });
    expect(readdirSync(incoming)).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ZipFile } from 'yazl';
import { archiveLimits } from './archive-limits.ts';
import { openArchiveTree } from './open-archive-tree.ts';
import { archiveInMemory } from './testing/archive-in-memory.ts';
import { hostileArchives, lyingArchives } from './testing/hostile-archives.ts';
import { inspectArchive } from './testing/inspect-archive.ts';
import { makeZip, type ZipPart } from './testing/make-zip.ts';
import { unpackArchive } from './unpack-archive.ts';

/** A folder to unpack into, alone in one where anything that gets out would be seen. */
function newPlace() {
  const outside = mkdtempSync(join(tmpdir(), 'lilac-archive-'));
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  return { outside, folder: join(outside, 'unpacked') };
}

const unpack = async (bytes: Buffer) => {
  const { folder } = newPlace();
  const summary = await unpackArchive(archiveInMemory(bytes), folder);
  return { folder, summary, text: (path: string) => readFileSync(join(folder, path), 'utf8') };
};

describe('a hostile archive', () => {
  it.each(hostileArchives)(
    'with $title is refused, with advice, before anything is unpacked',
    async ({ bytes, says }) => {
      const { outside, folder } = newPlace();
      const source = archiveInMemory(bytes);
      await expect(inspectArchive(source)).rejects.toMatchObject({
        code: 'AR001',
        message: expect.stringMatching(says),
      });
      await expect(openArchiveTree(source)).rejects.toMatchObject({ code: 'AR001' });
      await expect(unpackArchive(source, folder)).rejects.toMatchObject({ code: 'AR001' });
      expect(readdirSync(outside)).toEqual([]);
    },
  );

  it('with a large file that is not where it says leaves nothing open that could fail later', async () => {
    const bytes = makeZip([{ name: 'large', content: randomBytes(3 * 1024 ** 2), method: 0 }, { name: 'b' }]);
    bytes.writeUInt32LE(0, 0);
    const { folder } = newPlace();
    const unpacking = unpackArchive(archiveInMemory(bytes), folder);
    await expect(unpacking).rejects.toMatchObject({
      code: 'AR001',
      message: expect.stringMatching(/damaged/) as string,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(lyingArchives)('with $title is refused while it is unpacked', async ({ bytes, says }) => {
    const { outside, folder } = newPlace();
    const unpacking = unpackArchive(archiveInMemory(bytes), folder);
    await expect(unpacking).rejects.toMatchObject({ code: 'AR001', message: expect.stringMatching(says) });
    expect(readdirSync(outside)).toEqual(['unpacked']);
  });

  it('with one entry or one byte more than is allowed is refused, and with as many it is not', async () => {
    const bytes = makeZip([file('a', '12345'), file('b', '12345')]);
    const inspect = (limits: Partial<typeof archiveLimits>) =>
      inspectArchive(archiveInMemory(bytes), { ...archiveLimits, ...limits });
    expect(await inspect({ entries: 2, unpackedBytes: 10 })).toEqual({ fileCount: 2, unpackedBytes: 10 });
    await expect(inspect({ entries: 1 })).rejects.toThrow('has 2 entries; 1 are allowed');
    await expect(inspect({ unpackedBytes: 9 })).rejects.toMatchObject({ code: 'AR001' });
  });

  it('is no reason to trust a folder that is not empty', async () => {
    const { folder } = newPlace();
    mkdirSync(folder);
    writeFileSync(join(folder, 'index.html'), 'mine');
    await expect(unpackArchive(archiveInMemory(makeZip([file('index.html'), file('b')])), folder)).rejects.toThrow(
      'EEXIST',
    );
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('mine');
  });
});

const file = (name: string | Buffer, content = 'x'): ZipPart => ({ name, content });

describe('an ordinary archive', () => {
  it('may have names of any characters', async () => {
    const names = [
      'src/routes/+page.svelte',
      'pages/[slug].astro',
      'pages/(group)/[[...all]].tsx',
      'a file with spaces.txt',
      '.env.example',
      '.github/workflows/x.yml',
      'übergrößen/日本語.html',
      'emoji 🎉.md',
      'weird:*?"<>|.txt',
      'two..dots',
      '...',
      '-rf',
      'README',
      'readme',
      'x'.repeat(255),
    ];
    const { text, summary } = await unpack(makeZip(names.map((name) => file(name, name))));
    for (const name of names) expect(text(name)).toBe(name);
    expect(summary.fileCount).toBe(names.length);
  });

  it('is read in the code page it was written in', async () => {
    const bytes = makeZip([
      { name: Buffer.from([0x81, 0x2e, 0x74]), content: 'dos', flags: 0, system: 0 },
      { name: 'Äpfel.txt', content: 'a Mac without the flag', flags: 0, system: 3 },
      { name: Buffer.from([0x99, 0x2e, 0x74]), content: 'no UTF-8 on Unix', flags: 0, system: 3 },
    ]);
    const { text } = await unpack(bytes);
    expect(text('ü.t')).toBe('dos');
    expect(text('Äpfel.txt')).toBe('a Mac without the flag');
    expect(text('Ö.t')).toBe('no UTF-8 on Unix');
  });

  it('keeps the bit that makes a file a program, and no other of its mode', async () => {
    const { folder } = await unpack(
      makeZip([
        { ...file('run'), mode: 0o106777 },
        { ...file('plain'), mode: 0o100600 },
        { ...file('dos'), system: 0, attributes: 0x20 },
        { name: 'folder/', mode: 0o041777 },
      ]),
    );
    const modeOf = (path: string) => (statSync(join(folder, path)).mode & 0o7777).toString(8);
    expect(modeOf('run')).toBe('755');
    expect(modeOf('plain')).toBe('644');
    expect(modeOf('dos')).toBe('644');
    expect(modeOf('folder')).toBe('755');
  });

  it('loses what a Mac adds, and keeps empty files, empty folders and links within', async () => {
    const { folder, text, summary } = await unpack(
      makeZip([
        file('index.html'),
        { name: 'empty' },
        { name: 'folder/' },
        { name: 'folder/' },
        file('deep/er/file', 'found'),
        { name: 'deep/link', content: '../deep/er/file', method: 0, mode: 0o120777 },
        { name: 'loop', content: 'loop', method: 0, mode: 0o120777 },
        file('__MACOSX/._index.html'),
        file('deep/.DS_Store'),
      ]),
    );
    expect(readdirSync(folder).toSorted()).toEqual(['deep', 'empty', 'folder', 'index.html', 'loop']);
    expect(readdirSync(join(folder, 'deep')).toSorted()).toEqual(['er', 'link']);
    expect(text('deep/link')).toBe('found');
    expect(readlinkSync(join(folder, 'deep/link'))).toBe('../deep/er/file');
    expect(lstatSync(join(folder, 'empty')).size).toBe(0);
    expect(summary).toEqual({ fileCount: 5, unpackedBytes: 25 });
  });

  it('may be made by a library that streams, with sizes only after the data', async () => {
    const large = Buffer.from('large enough to be unpacked piece by piece '.repeat(100_000));
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from('first'), 'first.txt');
    zip.addBuffer(large, 'large.txt', { compress: true });
    zip.addBuffer(large, 'stored.txt', { compress: false });
    zip.end({ forceZip64Format: true, comment: '' });
    const { text } = await unpack(await buffer(zip.outputStream as NodeJS.ReadableStream & AsyncIterable<Buffer>));
    expect(text('first.txt')).toBe('first');
    expect(text('large.txt') === String(large) && text('stored.txt') === String(large)).toBe(true);
  });

  it('may be made by the zip command', async () => {
    const { outside } = newPlace();
    const source = join(outside, 'source');
    mkdirSync(join(source, 'a/b'), { recursive: true });
    for (let index = 0; index < 50; index++) writeFileSync(join(source, `a/b/ü ${index}`), `content ${index}`);
    writeFileSync(join(source, 'top'), 'top');
    execFileSync('zip', ['-qry', join(outside, 'made.zip'), '.'], { cwd: source });
    const { text } = await unpack(readFileSync(join(outside, 'made.zip')));
    expect(text('a/b/ü 7')).toBe('content 7');
  });

  it('may have names that only look like drives, and names that begin with a dot and a slash', async () => {
    const parts = [{ name: './' }, file('./index.html'), file('./a/b'), file('a:b.txt'), file('a:'), file('c:d/e')];
    const { folder, summary } = await unpack(makeZip(parts));
    expect(summary.fileCount).toBe(5);
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'a:', 'a:b.txt', 'c:d', 'index.html']);
  });

  it('is not held to be a single folder, or not, by the entry of the folder that all is in', async () => {
    const zip = makeZip([{ name: './' }, file('./site/index.html')]);
    await expect(unpack(zip)).rejects.toMatchObject({ message: expect.stringMatching(/one folder, "site"/) as string });
  });

  it('may hold as many files and folders as are allowed, counting those that names imply', async () => {
    const source = archiveInMemory(makeZip([file('a/b/c/1'), file('a/b/c/2'), { name: 'a/b/' }, file('d')]));
    expect(await inspectArchive(source, { ...archiveLimits, entries: 6 })).toMatchObject({ fileCount: 3 });
    await expect(inspectArchive(source, { ...archiveLimits, entries: 5 })).rejects.toMatchObject({ code: 'AR001' });
  });

  it('stops being unpacked when told to', async () => {
    const { folder } = newPlace();
    const bytes = makeZip(Array.from({ length: 3000 }, (_, index) => file(`f${index}`)));
    const stopping = new AbortController();
    const unpacking = unpackArchive(archiveInMemory(bytes), folder, { signal: stopping.signal });
    stopping.abort();
    await expect(unpacking).rejects.toMatchObject({ name: 'AbortError' });
    expect(existsSync(folder) ? readdirSync(folder).length : 0).toBeLessThan(3000);
  });
});

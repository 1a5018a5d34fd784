import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import yazl from 'yazl';
import { findWrapper, unwrapZip } from './unwrap-zip.ts';

const text = 'lilac '.repeat(500);

/** Another's writer: files whose sizes follow their data, as a Mac writes them, and such whose sizes come first. */
async function zip(fill: (archive: yazl.ZipFile) => void, options: Partial<yazl.EndOptions> = {}): Promise<Blob> {
  const archive = new yazl.ZipFile();
  fill(archive);
  archive.end({ forceZip64Format: false, comment: '', ...options });
  return new Blob([new Uint8Array(await buffer(archive.outputStream))]);
}

const addLarge = (into: yazl.ZipFile) => into.addBuffer(Buffer.from('x'), 'site/a', { forceZip64Format: true });

const zipOf = (...paths: string[]) =>
  zip((archive) => {
    for (const path of paths) {
      if (path.endsWith('/')) archive.addEmptyDirectory(path.slice(0, -1));
      else archive.addBuffer(Buffer.from(path), path);
    }
  });

/** Another's reader, which checks sizes and checksums: the mode and the content of each. */
async function unzip(archive: Blob): Promise<Record<string, string>> {
  const opened = await yauzl.fromBufferPromise(Buffer.from(await archive.arrayBuffer()));
  const files: Record<string, string> = {};
  for await (const entry of opened.eachEntry()) {
    const content = (await buffer(await opened.openReadStreamPromise(entry))).toString();
    files[entry.fileName] = `${(entry.externalFileAttributes >>> 16).toString(8)} ${content}`;
  }
  return files;
}

describe('an archive of one folder', () => {
  it('holds the same files without it: contents, modes and what is compressed; and not what a Mac adds', async () => {
    const archive = await zip((into) => {
      into.addEmptyDirectory('my süße site');
      into.addBuffer(Buffer.from(text), 'my süße site/index.html');
      into.addReadStream(Readable.from([text]), 'my süße site/ü/start.sh', { mode: 0o100755 });
      into.addBuffer(Buffer.from('index.html'), 'my süße site/home', { mode: 0o120777, compress: false });
      into.addEmptyDirectory('my süße site/empty');
      into.addBuffer(Buffer.from('x'), '__MACOSX/my süße site/._index.html');
      into.addBuffer(Buffer.from('x'), '.DS_Store');
    });
    const unwrapped = await unwrapZip(archive);
    expect(unwrapped?.folder).toBe('my süße site');
    expect(unwrapped!.archive.size).toBeLessThan(archive.size);
    expect(await unzip(unwrapped!.archive)).toEqual({
      'index.html': `100664 ${text}`,
      'ü/start.sh': `100755 ${text}`,
      home: '120777 index.html',
      'empty/': '40775 ',
    });
  });

  it('is unwrapped once: what comes out is left alone', async () => {
    const unwrapped = await unwrapZip(await zipOf('site/', 'site/index.html', 'site/css/a.css'));
    expect(await unwrapZip(unwrapped!.archive)).toBeNull();
  });

  it('may have a remark at its end', async () => {
    const archive = await zip((into) => into.addBuffer(Buffer.from('x'), 'site/a'), { comment: 'made by hand' });
    expect((await unwrapZip(archive))?.folder).toBe('site');
  });
});

describe('left alone is', () => {
  it('a project at the top', async () => expect(await unwrapZip(await zipOf('index.html', 'css/a.css'))).toBeNull());

  it('what is larger than plain archives can be', async () => {
    expect(await unwrapZip(await zip(addLarge, { forceZip64Format: true }))).toBeNull();
    expect(await unwrapZip(await zip(addLarge))).toBeNull();
  });

  it('what is encrypted, cut off, has something before it, or is no archive', async () => {
    const archive = await zipOf('site/a', 'site/b');
    const encrypted = new Uint8Array(await archive.arrayBuffer());
    encrypted[Buffer.from(encrypted).indexOf('PK\u0001\u0002') + 8]! |= 1;
    const broken = [new Blob([encrypted]), archive.slice(0, -30), new Blob(['before', archive]), new Blob(['words'])];
    expect(await Promise.all(broken.map(unwrapZip))).toEqual([null, null, null, null]);
  });
});

describe('the folder that everything lies in', () => {
  it.each<[paths: string[], folder: string | null]>([
    [['site/', 'site/index.html'], 'site/'],
    [['site/index.html'], 'site/'],
    [['a/', 'a/b/', 'a/b/index.html', 'a/.DS_Store'], 'a/b/'],
    [['a/public/index.html'], 'a/'],
    [['public/index.php', 'public/a.css'], null],
    [['a/x', 'b/y'], null],
    [['a/x', 'readme'], null],
    [['a/../x'], null],
    [['/a/x'], null],
    [['./a/x'], null],
    [[String.raw`a\x`, 'a/y'], null],
    [['readme'], null],
    [[], null],
  ])('of %j is %j', (paths, folder) => expect(findWrapper(paths)).toBe(folder));
});

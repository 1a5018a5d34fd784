import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../lib/exec.ts';
import { openArtifactsBench, sha256, type ArtifactsBench } from './testing/artifacts-bench.ts';
import { PackRefused } from './pack-refused.ts';
import { blobKey } from './static-manifest.ts';

let bench: ArtifactsBench;
beforeEach(async () => {
  bench = await openArtifactsBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const rowsOf = async (table: string) => (await bench.store.pool.query(`select * from ${table}`)).rows as object[];

describe('packing a folder', () => {
  it('stores every file once by its content, and a manifest that says what answers where', async () => {
    const { artifactId, fileCount, size, lines } = await bench.pack({
      'index.html': '<h1>Hi</h1>',
      'copy/of it.html': '<h1>Hi</h1>',
      'assets/app-3f9c1a2b.js': 'let a;',
      '.well-known/security.txt': 'Contact: x',
      'ünï/漢.txt': 'x',
    });
    expect({ fileCount, size, lines }).toEqual({ fileCount: 5, size: 39, lines: [] });
    const manifest = bench.manifestOf(artifactId);
    expect(manifest).toMatchObject({ version: 1, artifactId, isSinglePage: false, redirects: [], headers: [] });
    expect(Object.keys(manifest.files)).toEqual([
      '/.well-known/security.txt',
      '/assets/app-3f9c1a2b.js',
      '/copy/of it.html',
      '/index.html',
      '/ünï/漢.txt',
    ]);
    expect(manifest.files['/index.html']).toEqual({
      hash: sha256('<h1>Hi</h1>'),
      size: 11,
      type: 'text/html; charset=utf-8',
      isImmutable: false,
      variants: {},
    });
    expect(manifest.files['/assets/app-3f9c1a2b.js']).toMatchObject({ isImmutable: true });
    expect(bench.keys()).toHaveLength(5);
    expect(readFileSync(join(bench.objectsRoot, blobKey(sha256('let a;'))), 'utf8')).toBe('let a;');
    expect(await rowsOf('artifacts')).toMatchObject([{ id: artifactId, state: 'whole', file_count: 5, size: '39' }]);
    expect(await rowsOf('artifact_blobs')).toHaveLength(4);
  });

  it('hashes small, medium and large files alike', async () => {
    const contents = [0, 1, 65_536, 65_537, 9 * 1024 * 1024].map((size) => Buffer.alloc(size, String(size)));
    const site = Object.fromEntries(contents.map((content, at) => [`${at}.bin`, content]));
    const { artifactId } = await bench.pack(site);
    const { files } = bench.manifestOf(artifactId);
    contents.forEach((content, at) => {
      expect(files[`/${at}.bin`]).toMatchObject({ hash: sha256(content), size: content.length });
    });
  });

  it('serves hidden files, but never a repository, variables or what a desktop leaves', async () => {
    const { artifactId } = await bench.pack({
      'index.html': 'x',
      '.nojekyll': '',
      '.git/config': 'secret',
      'sub/.git': 'gitdir: elsewhere',
      '.env': 'secret',
      'sub/.env.local': 'secret',
      'sub/.DS_Store': 'x',
    });
    expect(Object.keys(bench.manifestOf(artifactId).files)).toEqual(['/.nojekyll', '/index.html']);
  });

  it('turns _redirects and _headers into rules, tells the bad lines, and does not serve them', async () => {
    const { artifactId, lines } = await bench.pack({
      'index.html': 'x',
      'sub/_headers': 'a file like any other',
      _redirects: '/old /new 302\n/bad\n',
      _headers: '/*\n  X-One: 1\n  Content-Length: 5\n',
    });
    const manifest = bench.manifestOf(artifactId);
    expect(Object.keys(manifest.files)).toEqual(['/index.html', '/sub/_headers']);
    expect(manifest.redirects).toEqual([{ from: '/old', to: '/new', status: 302, isForced: false }]);
    expect(manifest.headers).toEqual([{ path: '/*', headers: [['X-One', '1']] }]);
    expect(lines).toEqual([
      '_redirects, line 2, was left out: it names no target. Write: from to [status].',
      '_headers, line 3, was left out: Content-Length is set by the platform alone.',
    ]);
  });

  it('follows links to files and folders inside', async () => {
    const folder = bench.folderOf({ 'v2/index.html': 'two', 'index.html': 'one' });
    symlinkSync('v2', join(folder, 'latest'));
    symlinkSync('../index.html', join(folder, 'v2', 'home.html'));
    const { artifactId } = await bench.pack(folder);
    const { files } = bench.manifestOf(artifactId);
    expect(Object.keys(files)).toEqual([
      '/index.html',
      '/latest/home.html',
      '/latest/index.html',
      '/v2/home.html',
      '/v2/index.html',
    ]);
    expect(files['/latest/home.html']!.hash).toBe(sha256('one'));
  });

  it('leaves out a link to what is never served', async () => {
    const folder = bench.folderOf({ '.env': 'secret', 'index.html': 'x' });
    symlinkSync('.env', join(folder, 'config.txt'));
    const { artifactId } = await bench.pack(folder);
    expect(Object.keys(bench.manifestOf(artifactId).files)).toEqual(['/index.html']);
  });

  it('keeps a copy of a file that has another name, so that nobody can change it later', async () => {
    const folder = bench.folderOf({ 'index.html': 'as it was packed' });
    const elsewhere = join(bench.home, 'elsewhere');
    linkSync(join(folder, 'index.html'), elsewhere);
    const { artifactId } = await bench.pack(folder);
    writeFileSync(elsewhere, 'changed afterwards');
    const { hash } = bench.manifestOf(artifactId).files['/index.html']!;
    expect(readFileSync(join(bench.objectsRoot, blobKey(hash)), 'utf8')).toBe('as it was packed');
  });

  it('says that the address itself will answer 404 when there is no index.html', async () => {
    expect((await bench.pack({ 'a.txt': 'x' })).lines).toEqual([expect.stringContaining('no index.html')]);
  });

  it('writes no blob that is there already, and needs it too', async () => {
    const first = await bench.pack({ 'index.html': 'same', 'a.txt': 'one' });
    const blob = join(bench.objectsRoot, blobKey(sha256('same')));
    writeFileSync(blob, 'mark');
    const second = await bench.pack({ 'index.html': 'same', 'a.txt': 'two' });
    expect(readFileSync(blob, 'utf8')).toBe('mark');
    const { rows } = await bench.store.pool.query(
      `select artifact_id from artifact_blobs where hash = decode($1, 'hex') order by 1`,
      [sha256('same')],
    );
    expect(rows.map((row: { artifact_id: string }) => row.artifact_id)).toEqual(
      [first.artifactId, second.artifactId].toSorted(),
    );
  });

  it('takes over an attempt that was killed under the same id, and refuses one that is whole', async () => {
    await bench.store.pool.query(
      `insert into artifacts (id, organisation_id, environment_id, kind) values ('art_1', 'org_bench', 'env_bench', 'static');
       insert into artifact_blobs values ('art_1', '\\x00')`,
    );
    await bench.pack({ 'index.html': 'x' }, { artifactId: 'art_1' });
    expect(await rowsOf('artifact_blobs')).toHaveLength(1);
    await expect(bench.pack({ 'index.html': 'y' }, { artifactId: 'art_1' })).rejects.toThrow('packed already');
    expect(bench.manifestOf('art_1').files['/index.html']!.hash).toBe(sha256('x'));
  });
});

const outside = () => join(bench.home, 'outside');

describe('packing is refused, and leaves nothing, when', () => {
  it.each<[string, (folder: string) => unknown, RegExp]>([
    ['a link leaves the folder', (folder) => symlinkSync(outside(), join(folder, 'a')), /\/a leads out .* Copy/],
    ['a link to the system leaves the folder', (folder) => symlinkSync('/etc/passwd', join(folder, 'a')), /leads out/],
    ['a link leads nowhere', (folder) => symlinkSync('nothing', join(folder, 'a')), /\/a leads nowhere/],
    ['a link leads to itself', (folder) => symlinkSync('a', join(folder, 'a')), /\/a leads nowhere/],
    [
      'a link leads to the folder it is in',
      (folder) => symlinkSync('.', join(folder, 'a')),
      /leads to a folder it is in/,
    ],
    ['there is a pipe', (folder) => run(['mkfifo', join(folder, 'a')], { env: {} }), /\/a of the output is a device/],
    [
      'a name is not UTF-8',
      (folder) => writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x61])]), 'x'),
      /not UTF-8/,
    ],
  ])('%s', async (_name, spoil, message) => {
    mkdirSync(outside());
    const folder = bench.folderOf({ 'index.html': 'x' });
    await spoil(folder);
    const refusal = await bench.pack(folder).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(PackRefused);
    expect((refusal as Error).message).toMatch(message);
    expect(await rowsOf('artifacts')).toEqual([]);
  });

  it.each([
    ['the folder is empty', {}, {}, /holds no file/],
    ['all of it is left out', { '.env': 'x', _redirects: '' }, {}, /holds no file/],
    ['there are too many files', { a: '', b: '', c: '' }, { maxFiles: 2 }, /more than 2 files/],
    ['a file is too large', { a: '12345' }, { maxFileBytes: 4 }, /\/a is larger than 4 bytes/],
    ['it is too large in all', { a: '123', b: '456' }, { maxTotalBytes: 5 }, /larger than 5 bytes in all/],
  ])('%s', async (_name, site, limits, message) => {
    await expect(bench.pack(site as Record<string, string>, { limits })).rejects.toThrow(message);
    expect(await rowsOf('artifacts')).toEqual([]);
  });

  it('there is no folder, or a file instead', async () => {
    await expect(bench.pack(join(bench.home, 'nothing'))).rejects.toThrow('left no output folder');
    await expect(bench.pack(join(bench.folderOf({ a: '' }), 'a'))).rejects.toThrow('is a file');
  });

  it('somebody cancels it, at any moment', async () => {
    const site = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.txt`, `content ${at}`]));
    for (const delayMs of [0, 5, 15, 30, 60]) {
      const abort = new AbortController();
      setTimeout(() => abort.abort(new Error('cancelled')), delayMs);
      const end = await bench.pack(site, { signal: abort.signal }).catch((error: Error) => error.message);
      if (typeof end !== 'string') break;
      expect(end).toBe('cancelled');
      expect(await rowsOf('artifacts')).toEqual([]);
      expect(bench.keys()).toEqual([]);
    }
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Interrupted } from '../frame/interrupted.ts';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

interface Files {
  status?: number;
  content?: Buffer;
  /** How many connections break before an answer. */
  breaks?: number;
  /** Called in place of an answer. */
  onPut?: () => void;
}

/** Where files go to and come from; the platform itself only says where that is. */
async function startFiles({ status = 200, content = Buffer.alloc(0), breaks = 0, onPut }: Files = {}) {
  let breaksLeft = breaks;
  const put: { type: string | undefined; length: string | undefined; bytes: Buffer }[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(request);
    if (breaksLeft-- > 0) return void request.socket.destroy();
    if (onPut) return onPut();
    const { 'content-type': type, 'content-length': length } = request.headers;
    if (request.method === 'PUT') put.push({ type, length, bytes });
    response.writeHead(status).end(status === 200 ? content : 'This address has expired.');
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
  return { url, put, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-transfer-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

interface Told {
  error?: string | null;
  lastImport?: { upload_id: string; error: string | null } | null;
  /** `away`: nobody answers, as while the platform is restarted. */
  onTheWay?: (string | null)[];
}

async function startWithUploads(
  signedUrl: string,
  { error = null, lastImport = { upload_id: 'upl_1', error: null }, onTheWay = [null] }: Told = {},
) {
  const looks = [...onTheWay];
  const platform = await startPlatformDouble({
    '/api/upload/request-url': { body: { uploadId: 'upl_1', signedUrl } },
    '/api/upload/cleanup': { body: {} },
    '/api/upload/complete': { body: { uploadId: 'upl_1' } },
    '/api/databases/import': { body: { id: 'db_1', status: 'updating' } },
    '/api/databases/status': () => {
      if (looks.length === 0) return { body: { id: 'db_1', status: 'healthy', error, last_import: lastImport } };
      const look = looks.shift() ?? null;
      if (look === 'away') return { status: 502, body: 'Bad gateway' };
      return { body: { id: 'db_1', status: 'updating', error: look, last_import: null } };
    },
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  return { environment, received: platform.received, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

describe('lilac db import', () => {
  it.each([
    ['application/sql', Buffer.from('select 1;\n')],
    ['application/gzip', gzipSync('select 1;\n')],
  ])('uploads a file as %s, by its first bytes, and waits for the end', async (type, bytes) => {
    using files = await startFiles();
    using platform = await startWithUploads(files.url);
    using place = makeFolder();
    const file = join(place.folder, 'shop.dump');
    writeFileSync(file, bytes);
    const done = await lilac(['db', 'import', 'db_1', file, '--org', 'org_1'], platform.environment);
    expect(done).toMatchObject({ exitCode: 0, out: 'Id:      db_1\nStatus:  healthy\n\nImported shop.dump.\n' });
    expect(files.put).toEqual([{ type, length: String(bytes.length), bytes }]);
    const inOrganisation = { targetOrganisationId: 'org_1' };
    expect(platform.received.slice(0, 3)).toMatchObject([
      { body: { ...inOrganisation, fileName: 'shop.dump', contentType: type, fileSize: bytes.length } },
      { path: '/api/upload/complete', body: { ...inOrganisation, uploadId: 'upl_1' } },
      { path: '/api/databases/import', body: { ...inOrganisation, databaseId: 'db_1', uploadId: 'upl_1' } },
    ]);
    expect(platform.received.filter(({ path }) => path.endsWith('/status'))).toHaveLength(2);
  });

  it('1 and the reason when the import failed; other troubles are said', async () => {
    using files = await startFiles();
    using place = makeFolder();
    const file = join(place.folder, 'shop.sql');
    writeFileSync(file, 'selec 1;');
    const reason = 'The import failed, and nothing was changed: line 1: syntax error';
    // Its servers may have something to say by then, which is not how the import ended.
    const trouble = 'Its second server is not ready; one is being made.';
    using failing = await startWithUploads(files.url, {
      error: trouble,
      lastImport: { upload_id: 'upl_1', error: reason },
    });
    const failed = await lilac(['db', 'import', 'db_1', file], failing.environment);
    expect(failed).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining(`lilac: ${reason}\n`) });
    using overtaken = await startWithUploads(files.url, { lastImport: { upload_id: 'upl_2', error: null } });
    const unknown = await lilac(['db', 'import', 'db_1', file], overtaken.environment);
    expect(unknown).toMatchObject({ exitCode: 1, err: expect.stringContaining('does not tell how this import ended') });
    using full = await startWithUploads(files.url, { error: 'Its storage is nearly used up.' });
    const done = await lilac(['db', 'import', 'db_1', file], full.environment);
    expect(done).toMatchObject({ exitCode: 0, out: expect.stringContaining('storage is nearly used up') });
  });

  it('says what goes wrong on the way, once', async () => {
    using files = await startFiles();
    using place = makeFolder();
    const file = join(place.folder, 'shop.sql');
    writeFileSync(file, 'select 1;');
    using platform = await startWithUploads(files.url, { onTheWay: ['No room yet.', 'No room yet.'] });
    const { exitCode, out, err } = await lilac(['db', 'import', 'db_1', file], platform.environment);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'Id:      db_1\nStatus:  healthy\n\nImported shop.sql.\n' });
    expect(err.split('\n').filter((line) => line === 'No room yet.')).toHaveLength(1);
  });

  it('waits on while the platform is restarted', async () => {
    using files = await startFiles();
    using place = makeFolder();
    const file = join(place.folder, 'shop.sql');
    writeFileSync(file, 'select 1;');
    using platform = await startWithUploads(files.url, { onTheWay: [null, 'away', 'away'] });
    expect(await lilac(['db', 'import', 'db_1', file], platform.environment)).toMatchObject({ exitCode: 0 });
  });

  it('1 and what was answered when the upload is refused; then nothing is imported', async () => {
    using files = await startFiles({ status: 403 });
    using platform = await startWithUploads(files.url);
    using place = makeFolder();
    const file = join(place.folder, 'shop.sql');
    writeFileSync(file, 'select 1;');
    const { exitCode, err } = await lilac(['db', 'import', 'db_1', file], platform.environment);
    expect(exitCode).toBe(1);
    expect(err).toContain('403 Forbidden');
    expect(platform.received.map(({ path }) => path)).toEqual(['/api/upload/request-url', '/api/upload/cleanup']);
  });

  it('sends it again when the connection breaks, and discards it when it is broken off', async () => {
    using files = await startFiles({ breaks: 1 });
    using platform = await startWithUploads(files.url);
    using place = makeFolder();
    const file = join(place.folder, 'shop.sql');
    writeFileSync(file, 'select 1;');
    expect(await lilac(['db', 'import', 'db_1', file], platform.environment)).toMatchObject({ exitCode: 0 });
    expect(files.put).toHaveLength(1);
    const ending = new AbortController();
    using hanging = await startFiles({ onPut: () => ending.abort(new Interrupted('SIGINT')) });
    using other = await startWithUploads(hanging.url);
    const circumstances = { signal: ending.signal };
    const stopped = await lilac(['db', 'import', 'db_1', file], other.environment, circumstances);
    expect(stopped).toMatchObject({ exitCode: 130 });
    expect(other.received.map(({ path }) => path)).toEqual(['/api/upload/request-url', '/api/upload/cleanup']);
  });

  it.each(['db import db_1 upl_7', 'db import db_1 --upload-id upl_7'])(
    'takes the id of an upload and returns at once: "lilac %s"',
    async (line) => {
      using platform = await startWithUploads('http://127.0.0.1:1/');
      expect((await lilac(line, platform.environment)).out).toBe('Id:      db_1\nStatus:  updating\n');
      expect(platform.received.map(({ body }) => body)).toEqual([{ databaseId: 'db_1', uploadId: 'upl_7' }]);
    },
  );

  it.each([
    ['db import db_1', 'Give a file, or the id of an upload.'],
    ['db import db_1 nowhere.sql', 'There is no file "nowhere.sql".'],
    ['db import db_1 /', '"/" is no file.'],
    ['db import db_1 /dev/null', '"/dev/null" is no file.'],
  ])('2 for "lilac %s"', async (line, message) => {
    const { exitCode, err } = await lilac(line, { LILAC_TOKEN: 'lc_key' });
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });
});

describe('lilac db dump', () => {
  const content = gzipSync('create table a ();');

  async function startWithDump(downloadUrl: string, size = content.length) {
    const answer = { downloadUrl, expiresAt: '2026-11-15T12:00:00.000Z', size };
    const busy = { message: 'The dump is still being written. Ask again to wait for it.', code: 'SV002' };
    let asked = 0;
    const platform = await startPlatformDouble({
      '/api/databases/dump': () =>
        asked++ === 0 ? { status: 503, headers: { 'retry-after': '0' }, body: busy } : { body: answer },
    });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    return { environment, answer, [Symbol.dispose]: () => platform[Symbol.dispose]() };
  }

  it('waits until it is written, and downloads it', async () => {
    using files = await startFiles({ content });
    using platform = await startWithDump(files.url);
    using place = makeFolder();
    const file = join(place.folder, 'shop.sql.gz');
    const { exitCode, out } = await lilac(['db', 'dump', 'db_1', '-o', file, '--json'], platform.environment);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual({ file, size: content.length });
    expect(readFileSync(file)).toEqual(content);
    expect(readdirSync(place.folder)).toEqual(['shop.sql.gz']);
  });

  it.each([
    ['is shorter than it should be', { content, size: content.length + 1 }, 'bytes came. Try again.'],
    ['is refused', { status: 403, size: 1 }, 'The download failed: 403 Forbidden. This address has expired.'],
  ])('1 when what comes %s, and leaves what was there', async (_, { size, ...answered }, message) => {
    using files = await startFiles(answered);
    using platform = await startWithDump(files.url, size);
    using place = makeFolder();
    const file = join(place.folder, 'shop.sql.gz');
    writeFileSync(file, 'of yesterday');
    const { exitCode, err } = await lilac(['db', 'dump', 'db_1', '-o', file], platform.environment);
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
    expect(readFileSync(file, 'utf8')).toBe('of yesterday');
    expect(readdirSync(place.folder)).toEqual(['shop.sql.gz']);
  });

  it('1 when the file cannot be written', async () => {
    using files = await startFiles({ content });
    using platform = await startWithDump(files.url);
    const { exitCode, err } = await lilac('db dump db_1 -o /nowhere/shop.sql.gz', platform.environment);
    expect(exitCode).toBe(1);
    expect(err).toContain('/nowhere/shop.sql.gz cannot be written: ENOENT');
  });

  it('answers the address where no file is named', async () => {
    using platform = await startWithDump('http://files.example/1');
    await lilac('db dump db_1', platform.environment);
    const { out } = await lilac('db dump db_1 --json', platform.environment);
    expect(JSON.parse(out)).toEqual(platform.answer);
  });

  it.each([
    ['asks again when the answer is cut off', 1, { exitCode: 0, out: expect.stringContaining('files.example') }],
    ['1 when every answer is cut off', 99, { exitCode: 1, err: expect.stringContaining('broke off before the whole') }],
  ])('%s', async (_, cutOff, outcome) => {
    let asked = 0;
    const answer = { downloadUrl: 'http://files.example/1', expiresAt: '2026-11-15T12:00:00.000Z', size: 3 };
    const server = createServer((request, response) => {
      if (asked++ < cutOff) request.socket.destroy();
      else response.writeHead(200).end(JSON.stringify(answer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await lilac('db dump db_1 --json', { LILAC_API_URL: url, LILAC_TOKEN: 'lc_key' })).toMatchObject(outcome);
    server.close().closeAllConnections();
  });
});

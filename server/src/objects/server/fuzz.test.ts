import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { assertFuzzed, fuzzRuns, mutationsOf, readCorpus, readNamedCorpus } from '../../testing/fuzz-settings.ts';
import { distortionsOf, wildText } from '../../testing/fuzz-values.ts';
import { INCOMING } from '../local/incoming.ts';
import { openLocalSubject, type LocalSubject } from '../local/testing/local-subject.ts';

/** What strangers send to the object server: bytes on a connection, with addresses that were given out and others. */
let subject: LocalSubject;
let put: string;
let get: string;
const SIZE = 1000;
const KEPT = 'dumps/kept.sql';
beforeAll(async () => {
  subject = await openLocalSubject({ limits: { slowAfterMs: 1000, slowBytes: 1 } });
  const { objects, clock } = subject;
  const expiresAt = new Date(clock.now().getTime() + 60_000);
  put = pathOf(
    await objects.presignPut('uploads/a.zip', { contentType: 'application/zip', size: { max: SIZE }, expiresAt }),
  );
  await objects.put(KEPT, Buffer.from('x'.repeat(SIZE)));
  get = pathOf(await objects.presignGet(KEPT, { contentType: 'application/sql', fileName: 'kept.sql', expiresAt }));
});
afterAll(() => subject?.[Symbol.asyncDispose]());

const pathOf = (address: string) => address.replace(/^http:\/\/[^/]+/, '');

/** Who says no more is not answered: a sender waits for this long, and no longer once something came. */
const PATIENCE_MS = 100;
const MORE_MS = 5;

/** The status of each answer on a connection that the sender then closes. */
async function exchange(bytes: string): Promise<number[]> {
  const socket = connect(subject.socketPath);
  // Whoever is sent away while still sending is told so by an error, and then by the end.
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  let answer = '';
  let timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
  socket.setEncoding('latin1').on('data', (piece: string) => {
    answer += piece;
    clearTimeout(timer);
    timer = setTimeout(() => socket.destroy(), MORE_MS);
  });
  socket.write(bytes, 'latin1');
  await closed;
  clearTimeout(timer);
  return Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
}

/** They are known only once the server runs. */
function addresses(): fc.Arbitrary<string> {
  const given = fc.constantFrom(put, get);
  return fc.oneof(
    { weight: 5, arbitrary: given },
    { weight: 4, arbitrary: distortionsOf(given).map((path) => path.replaceAll(/[^\x21-\xff]/g, '')) },
    wildText.map((wild) => `/objects/${encodeURIComponent(wild.toWellFormed())}`),
    fc.constantFrom('*', '/', '/objects/../../etc/passwd', '/objects/%2e%2e/x', 'http://x/objects/a', '/objects/%zz'),
  );
}

const RIGHT = { 'content-type': 'application/zip', 'content-length': '5' };
const ranges = fc.constantFrom('bytes=0-', 'bytes=-5', 'bytes=5-1', 'bytes=0-1,3-4', 'bytes=9999999999999999999-', 'x');
const wildHeads = fc.dictionary(
  fc.constantFrom('content-type', 'content-length', 'transfer-encoding', 'range', 'expect', 'if-range', 'connection'),
  fc.oneof(
    wildText.map((wild) => encodeURIComponent(wild.toWellFormed())),
    fc.constantFrom('application/zip', '5', '-1', '1e9', '99999999999999999999', 'chunked', 'gzip, chunked'),
    fc.constantFrom('100-continue', 'upgrade', 'close'),
    ranges,
  ),
);
const heads: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.constant(RIGHT),
  { weight: 3, arbitrary: ranges.map((range) => ({ range })) },
  wildHeads.map((wild) => ({ ...RIGHT, ...wild })),
  wildHeads,
);
const methods = fc.constantFrom('PUT', 'PUT', 'PUT', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'put', 'TRACE');
/** Often none: what follows a request without a length is the next one, and mostly ends the connection. */
const bodies = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  fc.constantFrom('hello', '5\r\nhello\r\n0\r\n\r\n', '5\r\nhel', 'x'.repeat(SIZE * 2)),
  fc.string({ unit: 'binary' }),
);

/** With the addresses that were given out in their places. */
const filledIn = (bytes: Buffer) => bytes.toString('latin1').replaceAll('<put>', put).replaceAll('<get>', get);
const telling = ['\r\n', '\n', '\0', ' ', ':', ',', '0', '-1', 'chunked', 'bytes=', '%00', '../', '<put>', '<get>'];

describe('the object server', () => {
  it.each(readNamedCorpus('objects'))('answers $name, which is kept', async ({ bytes }) => {
    const statuses = await exchange(filledIn(bytes));
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  });

  it('answers what is made of those', async () => {
    const seen = new Set<number>();
    await assertFuzzed(
      fc.asyncProperty(mutationsOf(readCorpus('objects'), telling), async (bytes) => {
        const statuses = await exchange(filledIn(bytes));
        for (const status of statuses) seen.add(status);
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
      }),
      fuzzRuns(200, 0.3),
    );
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 403]));
  });

  it('answers whatever comes, and is no worse for it', async () => {
    const seen = new Set<number>();
    const toBeSeen = [200, 206, 400, 403];
    await assertFuzzed(
      fc.asyncProperty(methods, addresses(), heads, bodies, async (method, path, head, body) => {
        const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
        const statuses = await exchange([`${method} ${path} HTTP/1.1`, 'host: x', ...lines, '', body].join('\r\n'));
        for (const status of statuses) seen.add(status);
        expect(statuses.filter((status) => status >= 500)).toEqual([]);
      }),
      fuzzRuns(400, 0.6),
      () => toBeSeen.every((status) => seen.has(status)),
    );
    expect([...seen]).toEqual(expect.arrayContaining(toBeSeen));
    await eventually('nothing half is left', () => readdirSync(join(subject.root, INCOMING)).length === 0);
    expect(await exchange(`GET ${get} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toEqual([200]);
    const written = readdirSync(subject.root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    expect(written.map(({ name }) => name).toSorted()).toEqual(['a.zip', 'kept.sql']);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { request as startRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { heldInBuffers } from '../../testing/collect-all.ts';
import { eventually } from '../../testing/eventually.ts';
import type { Standing } from '../object-store.ts';
import { INCOMING } from '../local/incoming.ts';
import { openLocalSubject } from '../local/testing/local-subject.ts';
import type { ReceiveLimits } from './receive-body.ts';

const MEBIBYTE = 1024 ** 2;

async function open(limits: Partial<ReceiveLimits> = {}, options: Parameters<typeof openLocalSubject>[0] = {}) {
  const subject = await openLocalSubject({ limits, ...options });
  onTestFinished(() => subject[Symbol.asyncDispose]());
  const { objects, socketPath, root, clock } = subject;
  const incoming = () => (existsSync(join(root, INCOMING)) ? readdirSync(join(root, INCOMING)) : []);
  const sign = async (max: number) => {
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const address = await objects.presignPut('uploads/a.zip', {
      contentType: 'application/zip',
      size: { max },
      expiresAt,
    });
    return address.replace('http://lilac.test', '');
  };
  const begin = (path: string, headers: Record<string, string> = {}) =>
    startRequest({
      socketPath,
      path,
      method: 'PUT',
      agent: false,
      headers: { 'content-type': 'application/zip', ...headers },
    });
  return { ...subject, incoming, sign, begin };
}

const pieces = () => Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(64 * 1024)));

async function answerTo(request: ClientRequest) {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await text(answer)) as object };
}

/** As the driver says it of a store that was stopped. */
const storeIsAway = () => Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });

describe('the object server', () => {
  it('streams to the disk: what it holds in memory does not grow with the object', async () => {
    const { sign, begin, root } = await open();
    const chunk = randomBytes(MEBIBYTE);
    const count = 300;
    const request = begin(await sign(count * MEBIBYTE));
    const answered = answerTo(request);
    const before = await heldInBuffers();
    let most = 0;
    const chunks = async function* () {
      for (let sent = 0; sent < count; sent++) {
        yield chunk;
        if (sent % 50 === 49) most = Math.max(most, (await heldInBuffers()) - before);
      }
    };
    await pipeline(Readable.from(chunks()), request);
    expect(await answered).toMatchObject({ status: 200, body: { size: count * MEBIBYTE } });
    expect(statSync(join(root, 'uploads/a.zip')).size).toBe(count * MEBIBYTE);
    expect(most).toBeLessThan((count * MEBIBYTE) / 10);
  });

  it('leaves nothing of a connection that breaks, and takes the next one', async () => {
    const { sign, begin, incoming, objects, send } = await open();
    const path = await sign(MEBIBYTE);
    for (const headers of [{}, { 'content-length': '1000000' }] as Record<string, string>[]) {
      const request = begin(path, headers).on('error', () => {});
      request.write(randomBytes(100_000));
      await eventually('it is being written', () => incoming().length === 1);
      request.destroy();
      await eventually('it is removed', () => incoming().length === 0);
    }
    expect(await objects.stat('uploads/a.zip')).toBeNull();
    const headers = { 'content-type': 'application/zip' };
    expect((await send(path, { method: 'PUT', headers, body: Buffer.from('whole') })).status).toBe(200);
  });

  it('prefers the newer of two at the same address', async () => {
    const { sign, begin, incoming, send } = await open();
    const path = await sign(MEBIBYTE);
    const hanging = begin(path);
    const broken = once(hanging, 'error');
    hanging.write('half');
    await eventually('it is being written', () => incoming().length === 1);
    const headers = { 'content-type': 'application/zip' };
    expect((await send(path, { method: 'PUT', headers, body: Buffer.from('whole') })).status).toBe(200);
    await broken;
    await eventually('nothing half is left', () => incoming().length === 0);
  });

  it('tells a sender that is still sending why it is refused, and stops at the limit', async () => {
    const { sign, begin, incoming } = await open();
    const path = await sign(1000);
    const said = begin(path, { 'content-length': String(64 * 64 * 1024) });
    const unsaid = begin(path);
    const forged = begin(`${path}x`);
    for (const [request, status, code] of [
      [said, 413, 'LM002'],
      [unsaid, 413, 'LM002'],
      [forged, 403, 'CA011'],
    ] as const) {
      const answered = answerTo(request);
      await Promise.all([pipeline(pieces(), request).catch(() => {}), answered]);
      expect(await answered).toMatchObject({ status, body: { code, message: expect.any(String) } });
    }
    expect(incoming()).toEqual([]);
  });

  it('lets nobody send a body in vain who asks first', async () => {
    const { sign, begin } = await open();
    const path = await sign(10);
    const refused = begin(path, { expect: '100-continue', 'content-length': '11' });
    refused.flushHeaders();
    expect(await answerTo(refused)).toMatchObject({ status: 413 });
    const welcome = begin(path, { expect: '100-continue', 'content-length': '2' });
    welcome.flushHeaders();
    await once(welcome, 'continue');
    welcome.end('ok');
    expect(await answerTo(welcome)).toMatchObject({ status: 200 });
    const strange = begin(path, { expect: 'something' });
    strange.end();
    expect(await answerTo(strange)).toMatchObject({ status: 417, body: { code: 'MT003' } });
  });

  it('cuts off who sends too slowly', async () => {
    const { sign, begin, incoming } = await open({ slowAfterMs: 50, slowBytes: 1000 });
    const request = begin(await sign(MEBIBYTE)).on('error', () => {});
    const trickle = setInterval(() => request.write('x'), 5);
    const { status } = await answerTo(request);
    clearInterval(trickle);
    expect(status).toBe(400);
    await eventually('nothing is left', () => incoming().length === 0);
    request.destroy();
  });

  it('answers in its own shape to other methods, other paths and what is not HTTP', async () => {
    const { send, sign, socketPath } = await open();
    const path = await sign(10);
    const other = await send(path, { method: 'POST' });
    expect([other.status, JSON.parse(other.body)]).toMatchObject([405, { code: 'MT001' }]);
    const elsewhere = await send('/api/health', { method: 'PUT' });
    expect([elsewhere.status, JSON.parse(elsewhere.body)]).toMatchObject([404, { code: 'NF001' }]);
    const socket = connect(socketPath);
    socket.write('NONSENSE\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 [^]*"code":"VA001"}$/);
  });

  it('keeps nothing that nobody waits for any more when it has come', async () => {
    let standing: Standing = 'open';
    const { sign, begin, incoming, objects } = await open({}, { standingOf: () => Promise.resolve(standing) });
    const path = await sign(MEBIBYTE);
    const request = begin(path);
    request.write('half');
    await eventually('it is being written', () => incoming().length === 1);
    standing = 'gone';
    request.end('whole');
    expect(await answerTo(request)).toMatchObject({ status: 403, body: { code: 'CA011' } });
    expect(await objects.stat('uploads/a.zip')).toBeNull();
    const late = begin(path);
    late.end('whole');
    expect(await answerTo(late)).toMatchObject({ status: 403, body: { code: 'CA011' } });
    expect([await objects.stat('uploads/a.zip'), incoming()]).toEqual([null, []]);
  });

  it('keeps what was completed the moment it had come', async () => {
    let standing: Standing = 'open';
    const { sign, begin, incoming, objects } = await open({}, { standingOf: () => Promise.resolve(standing) });
    const request = begin(await sign(MEBIBYTE));
    request.write('half');
    await eventually('it is being written', () => incoming().length === 1);
    standing = 'taken';
    request.end('whole');
    expect(await answerTo(request)).toMatchObject({ status: 200 });
    expect(await objects.stat('uploads/a.zip')).toEqual({ size: 9 });
  });

  it('503 SV002 while the store is away, and nothing is kept: the same may be sent again', async () => {
    let isAway = true;
    const standingOf = () => (isAway ? Promise.reject(storeIsAway()) : Promise.resolve<Standing>('open'));
    const { sign, begin, incoming, objects } = await open({}, { standingOf });
    const path = await sign(MEBIBYTE);
    const early = begin(path);
    early.end('whole');
    const refused = { status: 503, headers: { 'retry-after': '1' }, body: { code: 'SV002' } };
    expect(await answerTo(early)).toMatchObject(refused);
    expect([await objects.stat('uploads/a.zip'), incoming()]).toEqual([null, []]);
    isAway = false;
    const again = begin(path);
    again.end('whole');
    expect(await answerTo(again)).toMatchObject({ status: 200 });
  });

  it('takes what has come whole while the store went away', async () => {
    let isAway = false;
    const standingOf = () => (isAway ? Promise.reject(storeIsAway()) : Promise.resolve<Standing>('open'));
    const { sign, begin, incoming, objects } = await open({}, { standingOf });
    const request = begin(await sign(MEBIBYTE));
    request.write('half');
    await eventually('it is being written', () => incoming().length === 1);
    isAway = true;
    request.end('whole');
    expect(await answerTo(request)).toMatchObject({ status: 200, body: { size: 9 } });
    expect(await objects.stat('uploads/a.zip')).toEqual({ size: 9 });
  });

  it('503 SV002 for what would leave too little on the disk, and for what begins to while it comes', async () => {
    const space = { freeBytes: 2048 * MEBIBYTE, totalBytes: 1024 ** 4 };
    const { sign, begin, incoming, objects } = await open({}, { readSpace: () => Promise.resolve(space) });
    const path = await sign(3000 * MEBIBYTE);
    const large = begin(path, { 'content-length': String(1025 * MEBIBYTE) });
    large.flushHeaders();
    const refusal = { code: 'SV002', message: expect.stringMatching(/less than 1024 MiB left.*operator/) };
    expect(await answerTo(large)).toMatchObject({ status: 503, body: refusal });
    large.on('error', () => {}).destroy();

    const growing = begin(path).on('error', () => {});
    growing.write(Buffer.alloc(MEBIBYTE));
    await eventually('it is being written', () => incoming().length === 1);
    space.freeBytes = 1030 * MEBIBYTE;
    const answered = answerTo(growing);
    growing.end(Buffer.alloc(16 * MEBIBYTE));
    expect(await answered).toMatchObject({ status: 503, body: refusal });
    expect([await objects.stat('uploads/a.zip'), incoming()]).toEqual([null, []]);

    const fitting = begin(path, { 'content-length': '5' });
    fitting.end('whole');
    expect(await answerTo(fitting)).toMatchObject({ status: 200 });
  });

  it('keeps every byte', async () => {
    const { send, sign, objects } = await open();
    const body = randomBytes(5 * MEBIBYTE + 13);
    const headers = { 'content-type': 'application/zip' };
    expect((await send(await sign(body.length), { method: 'PUT', headers, body })).status).toBe(200);
    const hash = createHash('sha256');
    for await (const chunk of objects.read('uploads/a.zip')) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(body).digest('hex'));
  });
});

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { conformToObjectStore } from '../conformance.ts';
import { copyNew } from './claim-object.ts';
import { openS3, placeOf } from './s3-connection.ts';
import { openS3Subject } from './testing/s3-subject.ts';
import { startS3Server, type S3Server } from './testing/start-s3-server.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server[Symbol.asyncDispose]());

const MEBIBYTE = 1024 ** 2;

async function open(settings: Partial<S3Server['settings']> = {}) {
  const subject = await openS3Subject({ ...server.settings, ...settings });
  onTestFinished(() => subject[Symbol.asyncDispose]());
  return subject;
}

const uploadsLeft = async () => {
  const { client, bucket } = openS3(server.settings);
  return (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? [];
};

describe('an object store in S3', () => {
  conformToObjectStore(() => openS3Subject(server.settings));
});

describe('in a bucket', () => {
  it('what is large comes in parts, and leaves none when its source fails', async () => {
    const { objects } = await open();
    const content = randomBytes(17 * MEBIBYTE);
    const pieces = () =>
      Array.from({ length: 17 }, (_, index) => content.subarray(index * MEBIBYTE, (index + 1) * MEBIBYTE));
    expect(await objects.put('large', Readable.from(pieces()))).toEqual({ size: content.length });
    expect((await buffer(objects.read('large'))).equals(content)).toBe(true);
    const failing = function* () {
      yield* pieces();
      throw new Error('the source broke');
    };
    await expect(objects.put('failed', Readable.from(failing()))).rejects.toThrow('the source broke');
    expect(await objects.stat('failed')).toBeNull();
    expect(await uploadsLeft()).toEqual([]);
  });

  it('what is large is given its name in parts, and what is empty too', async () => {
    const { objects, clock, send } = await open();
    const s3 = openS3(server.settings);
    const content = randomBytes(11 * MEBIBYTE);
    await objects.put('copied/from', content);
    const { Bucket, Key } = placeOf(s3, 'copied/from');
    const to = placeOf(s3, 'copied/to');
    await copyNew(s3, {
      from: `${Bucket}/${Key}`,
      to,
      size: content.length,
      etag: undefined,
      partBytes: 5 * MEBIBYTE,
    });
    expect((await buffer(objects.read('copied/to'))).equals(content)).toBe(true);
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const terms = { contentType: 'application/zip', size: { exact: 0 }, expiresAt };
    const headers = { 'content-type': 'application/zip' };
    const put = { method: 'PUT', headers, body: Buffer.alloc(0) };
    expect((await send(await objects.presignPut('copied/empty', terms), put)).status).toBe(200);
    expect(await objects.stat('copied/empty')).toEqual({ size: 0 });
  });

  it('sweeps what a killed process left in parts a day ago, and not what is being written', async () => {
    const { objects, clock } = await open();
    const s3 = openS3(server.settings);
    await s3.client.send(new CreateMultipartUploadCommand(placeOf(s3, 'left')));
    await objects.sweep();
    expect(await uploadsLeft()).toHaveLength(1);
    clock.advance(25 * 60 * 60 * 1000);
    await objects.sweep();
    expect(await uploadsLeft()).toEqual([]);
  });

  it('sweeps what came late to an address whose object was looked at long ago', async () => {
    const { objects, clock, send } = await open();
    const s3 = openS3(server.settings);
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const address = await objects.presignPut('late.zip', { contentType: 'text/plain', size: { exact: 1 }, expiresAt });
    const put = (body: string) =>
      send(address, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: Buffer.from(body) });
    await put('1');
    await objects.stat('late.zip');
    await put('2');
    const incoming = async () => {
      const listing = new ListObjectsV2Command({ Bucket: s3.bucket, Prefix: `${s3.incomingPrefix}late.zip` });
      return (await s3.client.send(listing)).Contents ?? [];
    };
    await objects.sweep();
    expect(await incoming()).toHaveLength(1);
    clock.advance(25 * 60 * 60 * 1000);
    await objects.sweep();
    expect(await incoming()).toEqual([]);
    expect((await buffer(objects.read('late.zip'))).toString()).toBe('1');
  });

  it('an archive larger than one PUT may be, and one of unknown length, come by the platform', async () => {
    const { objects, clock } = await open();
    const originOf = async (size: { exact: number } | { max: number }) => {
      const expiresAt = new Date(clock.now().getTime() + 60_000);
      return new URL(await objects.presignPut('a.zip', { contentType: 'application/zip', size, expiresAt })).origin;
    };
    expect(await originOf({ exact: 5 * 1024 ** 3 })).toBe(server.settings.endpoint?.origin);
    expect(await originOf({ exact: 5 * 1024 ** 3 + 1 })).toBe('http://lilac.test');
    expect(await originOf({ max: 10 })).toBe('http://lilac.test');
  });

  it('addresses for people begin with the public endpoint', async () => {
    const { objects, clock } = await open({ publicEndpoint: new URL('https://files.example.org') });
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    const type = { contentType: 'application/zip', expiresAt };
    const addresses = [
      await objects.presignPut('a.zip', { ...type, size: { exact: 1 } }),
      await objects.presignGet('a.zip', { ...type, fileName: 'a.zip' }),
    ];
    for (const address of addresses) expect(address).toMatch(/^https:\/\/files\.example\.org\/lilac-objects\/lilac\//);
  });

  it('says what is wrong: the bucket, the key, its secret, or that nobody answers', async () => {
    const key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
    const cases = [
      [{ bucket: 'missing' }, /no bucket missing at http.*LILAC_S3_BUCKET/],
      [{ credentials: { ...key, accessKeyId: 'nobody' } }, /does not know the key of LILAC_S3_ACCESS_KEY_ID/],
      [{ credentials: { ...key, secretAccessKey: 'wrong' } }, /Check LILAC_S3_SECRET_ACCESS_KEY/],
      [{ endpoint: new URL('http://127.0.0.1:1') }, /cannot be reached. Check LILAC_S3_ENDPOINT/],
      [{ credentials: { file: '/nowhere/key' } }, /\/nowhere\/key/],
    ] as const;
    for (const [settings, message] of cases) {
      const { objects } = await open(settings);
      await expect(objects.put('a', Buffer.from('x'))).rejects.toThrow(message);
    }
  });
});

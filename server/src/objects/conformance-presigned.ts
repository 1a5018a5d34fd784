import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ObjectStoreSubject } from './conformance.ts';
import type { PutTerms } from './object-store.ts';

export interface PutRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Several pieces are sent without saying how long all will be. */
  body?: Buffer | readonly Buffer[];
}

export interface PutAnswer {
  status: number;
  body: string;
}

const MINUTE_MS = 60_000;

const newKey = () => `signed/${randomBytes(6).toString('hex')}`;

/** With another first character of what it says about this. */
const altered = (address: string, name: string) =>
  address.replace(
    new RegExp(`(${name}=)(.)`, 'i'),
    (_, before: string, first: string) => before + (first === '9' ? '8' : '9'),
  );

/** What an address must do that somebody without a credential sends a PUT to. */
export function conformPresigned(open: () => ObjectStoreSubject): void {
  const address = (key: string, terms: Partial<PutTerms> = {}) => {
    const { objects, clock } = open();
    const expiresAt = new Date(clock.now().getTime() + 15 * MINUTE_MS);
    return objects.presignPut(key, { contentType: 'application/zip', size: { max: 1000 }, expiresAt, ...terms });
  };
  const put = (to: string, body: PutRequest['body'], more: PutRequest = {}) =>
    open().send(to, { method: 'PUT', body, ...more, headers: { 'content-type': 'application/zip', ...more.headers } });
  const isThere = async (key: string) => (await open().objects.stat(key)) !== null;

  const readAddress = (key: string, expiresInMs = 60 * MINUTE_MS) => {
    const { objects, clock } = open();
    const expiresAt = new Date(clock.now().getTime() + expiresInMs);
    return objects.presignGet(key, { contentType: 'application/gzip', fileName: 'Größe "x".sql.gz', expiresAt });
  };
  const get = (from: string, headers: Record<string, string> = {}) => open().send(from, { method: 'GET', headers });

  const stored = async (text: string) => {
    const key = newKey();
    await open().objects.put(key, Buffer.from(text));
    return key;
  };

  describe('an address that was signed to be read', () => {
    it('gives the object to whoever has it, whole or a part of it', async () => {
      const from = await readAddress(await stored('0123456789'));
      expect(await get(from)).toMatchObject({ status: 200, body: '0123456789' });
      expect(await get(from, { range: 'bytes=4-' })).toMatchObject({ status: 206, body: '456789' });
      expect(await get(from, { range: 'bytes=2-3' })).toMatchObject({ status: 206, body: '23' });
      expect(await get(from, { range: 'bytes=-2' })).toMatchObject({ status: 206, body: '89' });
      expect(await get(from, { range: 'bytes=10-' })).toMatchObject({ status: 416 });
    });

    it('gives nothing once it has expired, or the object is gone', async () => {
      const key = await stored('x');
      expect((await get(await readAddress(key, -1))).status).toBe(403);
      await open().objects.remove(key);
      expect((await get(await readAddress(key))).status).toBe(404);
    });

    it('is good for nothing else: not to be altered, not to be written to, and no address to write to is good to read', async () => {
      const key = await stored('secret');
      const from = await readAddress(key);
      const other = await readAddress(await stored('other'));
      expect((await get(other.replace(/^[^?]+/, from.split('?')[0]!))).status).toBe(403);
      expect((await get(altered(from, 'expires'))).status).toBe(403);
      expect((await put(from, Buffer.from('y'))).status).toBe(403);
      expect((await get(await address(key))).status).toBe(403);
      expect(String(await buffer(open().objects.read(key)))).toBe('secret');
    });
  });

  describe('a signed address', () => {
    it('takes a PUT without a credential, and ignores one', async () => {
      const key = newKey();
      const body = randomBytes(1000);
      expect((await put(await address(key), body, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(200);
      expect((await buffer(open().objects.read(key))).equals(body)).toBe(true);
    });

    it('takes a body whose length was not said', async () => {
      const key = newKey();
      expect((await put(await address(key), [Buffer.from('in '), Buffer.from('pieces')])).status).toBe(200);
      expect(String(await buffer(open().objects.read(key)))).toBe('in pieces');
    });

    it('takes one PUT: none while the object is there, another once it is removed', async () => {
      const key = newKey();
      const to = await address(key);
      expect((await put(to, Buffer.from('first'))).status).toBe(200);
      expect((await put(to, Buffer.from('second'))).status).toBe(409);
      expect(String(await buffer(open().objects.read(key)))).toBe('first');
      await open().objects.remove(key);
      expect((await put(to, Buffer.from('third'))).status).toBe(200);
      expect(String(await buffer(open().objects.read(key)))).toBe('third');
    });

    it('is good for PUT only', async () => {
      const key = newKey();
      const to = await address(key);
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
        expect({ method, ...(await open().send(to, { method })) }).toMatchObject({
          method,
          status: expect.toBeOneOf([403, 405]),
        });
      }
      expect(await isThere(key)).toBe(false);
    });

    it('refuses another content type, none, and one that only begins so', async () => {
      const key = newKey();
      const to = await address(key);
      for (const type of ['text/html', 'application/zip; charset=utf-8', 'application/zi', '']) {
        const answer = await put(to, Buffer.from('x'), { headers: { 'content-type': type } });
        expect({ type, ...answer }).toMatchObject({ type, status: 403 });
      }
      expect(await isThere(key)).toBe(false);
    });

    it('refuses when it has expired, to the millisecond, however often it was good before', async () => {
      const key = newKey();
      const to = await address(key);
      open().clock.advance(15 * MINUTE_MS - 1);
      expect((await put(to, Buffer.from('x'))).status).toBe(200);
      await open().objects.remove(key);
      open().clock.advance(1);
      expect((await put(to, Buffer.from('x'))).status).toBe(403);
      expect(await isThere(key)).toBe(false);
    });

    it('refuses a byte more than it may have, whether its length is said or not', async () => {
      const key = newKey();
      const to = await address(key, { size: { max: 10 } });
      expect((await put(to, Buffer.alloc(11))).status).toBe(413);
      expect((await put(to, [Buffer.alloc(6), Buffer.alloc(5)])).status).toBe(413);
      expect(await isThere(key)).toBe(false);
      expect((await put(to, [Buffer.alloc(5), Buffer.alloc(5)])).status).toBe(200);
    });

    it('takes exactly as many bytes as were announced', async () => {
      const key = newKey();
      const to = await address(key, { size: { exact: 10 } });
      for (const body of [
        Buffer.alloc(9),
        Buffer.alloc(11),
        [Buffer.alloc(9)],
        [Buffer.alloc(5), Buffer.alloc(6)],
        [],
      ]) {
        expect((await put(to, body)).status).toBeGreaterThanOrEqual(400);
      }
      expect(await isThere(key)).toBe(false);
      expect((await put(to, Buffer.alloc(10))).status).toBe(200);
    });

    it('exchanges nothing that was looked at, and takes another once that is removed', async () => {
      for (const size of [{ exact: 5 }, { max: 10 }]) {
        const key = newKey();
        const to = await address(key, { size });
        expect((await put(to, Buffer.from('first'))).status).toBe(200);
        expect(await open().objects.stat(key)).toEqual({ size: 5 });
        await put(to, Buffer.from('later'));
        expect(String(await buffer(open().objects.read(key)))).toBe('first');
        await open().objects.remove(key);
        expect(await isThere(key)).toBe(false);
        expect((await put(to, Buffer.from('third'))).status).toBe(200);
        expect(String(await buffer(open().objects.read(key)))).toBe('third');
      }
    });

    it('shows what came to whoever lists, and forgets it with the key', async () => {
      const key = newKey();
      await put(await address(key, { size: { exact: 1 } }), Buffer.from('x'));
      const keysOf = async () => {
        const keys: string[] = [];
        for await (const found of open().objects.list('signed/')) keys.push(found);
        return keys;
      };
      expect(await keysOf()).toContain(key);
      await open().objects.remove(key);
      expect(await keysOf()).not.toContain(key);
    });

    it('of an announced length holds to all it was signed for, too', async () => {
      const [key, otherKey] = [newKey(), newKey()];
      const to = await address(key, { size: { exact: 1 } });
      const other = await address(otherKey, { size: { exact: 1 } });
      const expired = await address(key, { size: { exact: 1 }, expiresAt: new Date(Date.now() - 1000) });
      const body = Buffer.from('x');
      for (const type of ['text/html', 'application/zip; charset=utf-8', '']) {
        expect((await put(to, body, { headers: { 'content-type': type } })).status).toBe(403);
      }
      const variants = [
        ...[...new URL(to).searchParams.keys()].map((name) => {
          const without = new URL(to);
          without.searchParams.delete(name);
          return without.href;
        }),
        altered(to, 'expires'),
        altered(to, 'signature'),
        other.replace(/^[^?]+/, to.split('?')[0]!),
        expired,
        to.split('?')[0]!,
      ];
      for (const variant of variants) {
        expect({ variant, ...(await put(variant, body)) }).toMatchObject({
          variant,
          status: expect.toBeOneOf([400, 403]),
        });
      }
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect((await open().send(to, { method })).status).toBeGreaterThanOrEqual(400);
      }
      expect(await isThere(key)).toBe(false);
    });

    it('refuses when any character of it is changed', async () => {
      const key = newKey();
      const to = await address(key);
      const { pathname, search } = new URL(to);
      const from = to.length - search.length - pathname.length;
      for (let index = from; index < to.length; index++) {
        const changed = to.slice(0, index) + (to[index] === '0' ? '1' : '0') + to.slice(index + 1);
        const answer = await put(changed, Buffer.from('x'));
        expect({ changed, ...answer }).toMatchObject({ changed, status: expect.toBeOneOf([400, 403, 404]) });
      }
      expect(await isThere(key)).toBe(false);
    });

    it('refuses when something is left out, added, repeated or taken from another address', async () => {
      const [key, otherKey] = [newKey(), newKey()];
      const to = new URL(await address(key));
      const other = new URL(await address(otherKey, { size: { max: 1_000_000 } }));
      const variants = [...to.searchParams.keys()].flatMap((name) => {
        const [without, twice, mixed] = [new URL(to), new URL(to), new URL(to)];
        without.searchParams.delete(name);
        twice.searchParams.append(name, to.searchParams.get(name)!);
        mixed.searchParams.set(name, other.searchParams.get(name) ?? '1');
        return [without, twice, ...(mixed.search === to.search ? [] : [mixed])];
      });
      const moved = new URL(to);
      moved.pathname = other.pathname;
      const above = `${to.origin}${to.pathname}/../../escape${to.search}`;
      for (const variant of [...variants.map(String), String(moved), above, `${to}&more=1`, to.origin + to.pathname]) {
        const answer = await put(variant, Buffer.from('x'));
        expect({ variant, ...answer }).toMatchObject({ variant, status: expect.toBeOneOf([400, 403, 404]) });
      }
      expect(await isThere(key)).toBe(false);
      expect(await isThere(otherKey)).toBe(false);
    });
  });
}

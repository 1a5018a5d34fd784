import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createOwner } from '../testing/factories.ts';
import { startApi, type TestApi } from '../testing/harness.ts';

/** The address that the platform noted for a device sign-in it was asked for. */
async function addressSeen(api: TestApi, headers: Record<string, string>, socketPath?: string): Promise<string> {
  const { token } = await createOwner(api);
  const target = socketPath ? { socketPath } : { port: portOf(api) };
  const post = (path: string, body: object, extra: object) =>
    send({ ...target, path, headers: { 'content-type': 'application/json', ...extra } }, body);
  const { user_code: userCode } = await post('/api/auth/device/code', { client_id: 'a client' }, headers);
  const device = await post('/api/auth/device/lookup', { userCode }, { authorization: `Bearer ${token}` });
  return device['address']!;
}

function send(options: object, body: object): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', method: 'POST', ...options }, (response) => {
      resolve(json(response) as Promise<Record<string, string>>);
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

function portOf({ app }: TestApi): number {
  const address = app.server.address();
  return typeof address === 'object' ? address!.port : 0;
}

describe('the client address', () => {
  it('on a TCP socket is the other end, whatever the headers say', async () => {
    await using api = await startApi();
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    expect(await addressSeen(api, { 'x-forwarded-for': '192.0.2.9' })).toBe('127.0.0.1');
  });

  it('on the unix socket is what the edge says, and nothing that is no address', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'lilac-sock-'));
    try {
      await using api = await startApi();
      const socket = join(directory, 'api.sock');
      await api.app.listen({ path: socket });
      expect(await addressSeen(api, { 'x-forwarded-for': '192.0.2.9' }, socket)).toBe('192.0.2.9');
      expect(await addressSeen(api, { 'x-forwarded-for': '2001:db8::1' }, socket)).toBe('2001:db8::1');
      expect(await addressSeen(api, { 'x-forwarded-for': '192.0.2.9, 192.0.2.10' }, socket)).toBe('127.0.0.1');
      expect(await addressSeen(api, {}, socket)).toBe('127.0.0.1');
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

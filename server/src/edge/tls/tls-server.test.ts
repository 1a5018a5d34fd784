import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { APP, DOMAIN, startSecureEdge } from './testing/start-secure-edge.ts';
import { makeTestNames, root } from './testing/test-names.ts';
import { HANDSHAKE_LIMIT_MS } from './tls-server.ts';

const shownBy = (socket: TLSSocket) => socket.getPeerCertificate().subjectaltname;
/** Whether the client or the server says it first. */
const REFUSED = /ECONNRESET|disconnected|alert|EPROTO|socket hang up|ssl|SSL|version|cipher/;
const unnamed = { servername: '', checkServerIdentity: () => undefined };

const isServed = (answer: Promise<{ body: string }>) =>
  answer.then(
    ({ body }) => body === 'home',
    () => false,
  );

describe('the certificate of a handshake', () => {
  it('is that of the name which is asked for, however it is written', async () => {
    const edge = await startSecureEdge();
    expect(shownBy(await edge.shake(DOMAIN))).toBe(`DNS:${DOMAIN}`);
    expect(shownBy(await edge.shake(APP.toUpperCase()))).toBe(`DNS:${APP}`);
  });

  it("is the platform's own where nobody is named, and the one it has at that time", async () => {
    const edge = await startSecureEdge();
    const first = await edge.shake('', unnamed);
    expect(shownBy(first)).toBe('DNS:lilac.test');
    edge.names.issue('lilac.test');
    const second = await edge.shake('', unnamed);
    expect(second.getPeerCertificate().fingerprint256).not.toBe(first.getPeerCertificate().fingerprint256);
  });

  it('is none for a name that is not served', async () => {
    const edge = await startSecureEdge();
    await expect(edge.shake('stranger.example')).rejects.toThrow(REFUSED);
    edge.names.contexts.delete(DOMAIN);
    await expect(edge.shake(DOMAIN)).rejects.toThrow(REFUSED);
    edge.names.contexts.delete('lilac.test');
    await expect(edge.shake('', unnamed)).rejects.toThrow(REFUSED);
    expect(shownBy(await edge.shake(APP))).toBe(`DNS:${APP}`);
  });

  it('is none for an authority that asks by TLS alone who is here (RFC 8737)', async () => {
    const edge = await startSecureEdge();
    for (const name of [APP, DOMAIN]) {
      await expect(edge.shake(name, { ALPNProtocols: ['acme-tls/1'] })).rejects.toThrow(/no application protocol/i);
    }
  });

  it('is a new one as soon as there is one, and connections with the old one go on', async () => {
    const edge = await startSecureEdge();
    const old = await edge.shake(DOMAIN);
    edge.names.issue(DOMAIN);
    const renewed = await edge.shake(DOMAIN);
    expect(renewed.getPeerCertificate().fingerprint256).not.toBe(old.getPeerCertificate().fingerprint256);
    old.write(`GET / HTTP/1.1\r\nHost: ${DOMAIN}\r\n\r\n`);
    expect(String(await once(old, 'data'))).toContain('200 OK');
  });

  it('may change while many come: none of them fails', async () => {
    const edge = await startSecureEdge();
    const seen = new Set<string>();
    const come = async () => {
      for (let count = 0; count < 15; count++) {
        const socket = await edge.shake(DOMAIN);
        seen.add(socket.getPeerCertificate().fingerprint256);
        socket.destroy();
        edge.names.issue(DOMAIN);
      }
    };
    await Promise.all([come(), come(), come()]);
    expect(seen.size).toBeGreaterThan(5);
  });

  it('comes with the word of its authority where there is one', async () => {
    const edge = await startSecureEdge();
    for (const name of [DOMAIN, 'lilac.test']) edge.names.staples.set(name, Buffer.from(`good: ${name}`));
    const stapleOf = async (servername: string, options = {}) => {
      const socket = connect({
        port: edge.tlsPort,
        host: '127.0.0.1',
        ca: root,
        servername,
        requestOCSP: true,
        ...options,
      });
      const [[staple]] = (await Promise.all([once(socket, 'OCSPResponse'), once(socket, 'secureConnect')])) as [
        [Buffer | null],
        unknown,
      ];
      socket.destroy();
      return staple && String(staple);
    };
    expect(await stapleOf(DOMAIN)).toBe(`good: ${DOMAIN}`);
    expect(await stapleOf(APP)).toBeNull();
    expect(await stapleOf('', unnamed)).toBe('good: lilac.test');
  });
});

describe('a handshake', () => {
  it('is refused by old versions and by ciphers that keep no secret for long', async () => {
    const edge = await startSecureEdge();
    await expect(edge.shake(APP, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toThrow(REFUSED);
    const old = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:AES128-GCM-SHA256' } as const;
    await expect(edge.shake(APP, old)).rejects.toThrow(REFUSED);
    const fine = await edge.shake(APP, { maxVersion: 'TLSv1.2' });
    expect(fine.getCipher().name).toMatch(/^ECDHE-.*(GCM|POLY1305)/);
    expect((await edge.shake(APP)).getProtocol()).toBe('TLSv1.3');
  });

  it('leads to HTTP/2 where the client knows it, and to HTTP/1.1 elsewhere', async () => {
    const edge = await startSecureEdge();
    const protocols = async (...ALPNProtocols: string[]) => (await edge.shake(APP, { ALPNProtocols })).alpnProtocol;
    expect(await protocols('http/1.1', 'h2')).toBe('h2');
    expect(await protocols('http/1.1')).toBe('http/1.1');
    expect(await protocols()).toBe(false);
    await expect(protocols('spdy/3')).rejects.toThrow(REFUSED);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('takes up a session that another edge has begun (%s)', async (version) => {
    const versions = { minVersion: version, maxVersion: version } as const;
    const sessionAt = async (edge: Awaited<ReturnType<typeof startSecureEdge>>) => {
      const pending = Promise.withResolvers<Buffer>();
      const socket = await edge.shake(APP, versions);
      if (version === 'TLSv1.2') pending.resolve(socket.getSession()!);
      socket.on('session', (session: Buffer) => pending.resolve(session));
      return pending.promise;
    };
    const [one, other] = [await startSecureEdge(), await startSecureEdge()];
    const stranger = await startSecureEdge(null, {
      names: makeTestNames('lilac.test', [APP, DOMAIN], Buffer.alloc(48, 8)),
    });
    const session = await sessionAt(one);
    expect((await other.shake(APP, { ...versions, session })).isSessionReused()).toBe(true);
    expect((await stranger.shake(APP, { ...versions, session })).isSessionReused()).toBe(false);
  });

  it('that never ends is ended when the edge stops', async () => {
    const edge = await startSecureEdge();
    const socket = connectPlain(edge.tlsPort, '127.0.0.1');
    // A reset is an end too.
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    await once(socket, 'connect');
    socket.write('\x16\x03\x01');
    await edge.stop(20);
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});

it.each(['', '\x16\x03\x01'])(
  'many who begin a handshake and do not end it keep nobody else out (%j)',
  async (said) => {
    const edge = await startSecureEdge(null, { maxConnections: 10 });
    const open = () =>
      connectPlain({ port: edge.tlsPort, host: '127.0.0.1', localAddress: '127.0.0.3' }).on('error', () => {});
    const startedAt = performance.now();
    const silent = Array.from({ length: 30 }, () => {
      const socket = open();
      socket.write(said);
      return socket;
    });
    await eventually('somebody else gets in', () => isServed(edge.get(APP)));
    // It did not have to wait until their time was over.
    expect(performance.now() - startedAt).toBeLessThan(HANDSHAKE_LIMIT_MS);
    for (const socket of silent) socket.destroy();
  },
);

it('connections of both ports count together: those that nobody uses make room', async () => {
  const edge = await startSecureEdge(null, { maxConnections: 10 });
  const idle: TLSSocket[] = [];
  for (let count = 0; count < 9; count++) idle.push((await edge.shake(APP)).resume());
  const plain = [1, 2, 3].map(() => edge.openRaw(''));
  await eventually('somebody gets in by http', () => isServed(edge.call({ host: APP })));
  await eventually('somebody gets in by https', () => isServed(edge.get(APP)));
  await eventually('some are closed', () => idle.some(({ readableEnded, destroyed }) => readableEnded || destroyed));
  expect(plain).toHaveLength(3);
  for (const socket of plain) socket.destroy();
});

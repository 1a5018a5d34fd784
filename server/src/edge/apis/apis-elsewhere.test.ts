import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { connectToPeer, createPeerServer } from '../../lib/peer-tls.ts';
import { announceApi, readApis, withdrawApi } from '../../routing/api-store.ts';
import { API_PURPOSE, OBJECTS_PURPOSE } from '../../routing/api-purposes.ts';
import { openKeyring } from '../../secrets/key-file.ts';
import { platformSecret } from '../../secrets/platform-secrets-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestEdge } from '../../testing/start-test-edge.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import { ApiDirectory } from './api-directory.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** An api of another host, as far as an edge sees it. */
async function startPeer(secret: Buffer, api: Listener, objects: Listener = api) {
  const [apiServer, objectServer] = [createServer(api), createServer(objects)];
  const door = createPeerServer({
    secret,
    takers: {
      [API_PURPOSE]: (socket) => void apiServer.emit('connection', socket),
      [OBJECTS_PURPOSE]: (socket) => void objectServer.emit('connection', socket),
    },
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const { port } = door.address() as AddressInfo;
  const sockets = new Set<Socket>();
  door.on('connection', (socket: Socket) => sockets.add(socket));
  const end = () => {
    door.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(end);
  return { host: '127.0.0.1', port, end };
}

async function openPlatform(store: TestStore) {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-apis-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const keyring = openKeyring(join(folder, 'keyring.json'));
  const secret = await platformSecret({ store, keyring }, 'edge-to-api');
  const directory = new ApiDirectory({ store, keyring, apiSocket: join(folder, 'none.sock'), log: silentLog });
  return { secret, directory };
}

const say =
  (name: string): Listener =>
  (request, response) => {
    const { 'x-forwarded-for': address } = request.headers;
    void text(request).then((body) =>
      response.end(`${name} ${request.method} ${request.url} ${String(address)} ${body}`),
    );
  };

describe('an edge on a host without an api', () => {
  it('passes requests, uploads and streams to one of another host, and says who the client is', async () => {
    await using store = await createTestStore();
    const { secret, directory } = await openPlatform(store);
    const stream: Listener = (request, response) => {
      if (request.url !== '/stream') return say('api')(request, response);
      response.write('first ');
      request.once('close', () => response.destroy());
      return undefined;
    };
    const peer = await startPeer(secret, stream, say('objects'));
    await announceApi(store.db, { name: 'host-2', ...peer });
    const edge = await startTestEdge(null, { elsewhere: directory });
    const forged = { 'X-Forwarded-For': '203.0.113.9' };
    const answer = await edge.call({ method: 'POST', path: '/api/x', body: 'hello', headers: forged });
    expect(answer).toMatchObject({ status: 200, body: 'api POST /api/x 127.0.0.1 hello' });
    const body = 'x'.repeat(300_000);
    const upload = await edge.call({ method: 'PUT', path: '/objects/u', body });
    expect(upload.body).toBe(`objects PUT /objects/u 127.0.0.1 ${body}`);
    const open = await edge.open({ path: '/stream' });
    expect(String((await once(open, 'data'))[0])).toBe('first ');
    open.destroy();
  });

  it('goes to another one when one is gone, and loses nothing that had not arrived', async () => {
    await using store = await createTestStore();
    const { secret, directory } = await openPlatform(store);
    const [one, two] = [await startPeer(secret, say('one')), await startPeer(secret, say('two'))];
    await announceApi(store.db, { name: 'host-1', ...one });
    await announceApi(store.db, { name: 'host-2', ...two });
    const edge = await startTestEdge(null, { elsewhere: directory });
    const names = async () =>
      new Set(
        (await Promise.all(Array.from({ length: 8 }, () => edge.call({ path: '/' })))).map(
          ({ body }) => body.split(' ')[0],
        ),
      );
    expect(await names()).toEqual(new Set(['one', 'two']));
    const inTurn = [await edge.call({ path: '/' }), await edge.call({ path: '/' })];
    expect(new Set(inTurn.map(({ body }) => body.split(' ')[0])).size).toBe(2);
    one.end();
    // What is asked again costs nothing; by then it is known which connections have ended.
    expect((await edge.call({ path: '/' })).body).toContain('two GET');
    for (let at = 0; at < 6; at++) {
      const answer = await edge.call({ method: 'POST', path: '/', body: 'hello' });
      expect(answer.body).toContain('two POST');
    }
    await withdrawApi(store.db, 'host-1');
    directory.onWake();
    await directory.look();
    expect(directory.list()).toEqual([{ host: two.host, port: two.port }]);
  });

  it('prefers its own, and holds requests while nobody is there', async () => {
    await using store = await createTestStore();
    const { secret, directory } = await openPlatform(store);
    const edge = await startTestEdge(null, { elsewhere: directory });
    const held = edge.call({ path: '/held' });
    const peer = await startPeer(secret, say('other'));
    await announceApi(store.db, { name: 'host-2', ...peer });
    expect((await held).body).toContain('other GET /held');
    await edge.startApi(say('own'));
    expect((await edge.call({ path: '/' })).body).toContain('own GET');
  });

  it('503 when there is none at all', async () => {
    await using store = await createTestStore();
    const { directory } = await openPlatform(store);
    const edge = await startTestEdge(null, { elsewhere: directory, holdMs: 100 });
    expect((await edge.call({ path: '/' })).status).toBe(503);
  });
});

describe('the door of an api', () => {
  it('opens only to who has the secret, and edges go through no door of somebody else', async () => {
    const secret = Buffer.alloc(32, 1);
    let requests = 0;
    const peer = await startPeer(secret, () => requests++);
    const wrong = { ...peer, secret: Buffer.alloc(32, 2), purpose: API_PURPOSE, timeoutMs: 5000 };
    await expect(connectToPeer(wrong)).rejects.toBeInstanceOf(Error);
    const plain = connect(peer.port, peer.host).on('error', () => {});
    plain.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(plain, 'close');
    const withoutSecret = connectSecurely({ ...peer, rejectUnauthorized: false });
    await once(withoutSecret, 'error');
    expect(requests).toBe(0);
    const own = await connectToPeer({ ...wrong, secret });
    own.destroy();
    await expect(connectToPeer({ ...wrong, secret, purpose: 'something-else' })).rejects.toBeInstanceOf(Error);
  });

  it('stays open to who has it, however many begin and never show it; and those are sent away', async () => {
    const secret = Buffer.alloc(32, 1);
    const door = createPeerServer({ secret, takers: { [API_PURPOSE]: (socket) => socket.end() }, handshakeMs: 1000 });
    door.listen(0, '127.0.0.1');
    onTestFinished(() => void door.close());
    await once(door, 'listening');
    const { port } = door.address() as AddressInfo;
    const silent = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    // Half of them begin as a handshake does.
    for (const socket of silent.slice(150)) socket.write(Buffer.from([0x16, 0x03, 0x01]));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    const own = await connectToPeer({ host: '127.0.0.1', port, secret, purpose: API_PURPOSE, timeoutMs: 10_000 });
    expect(own.alpnProtocol).toBe(API_PURPOSE);
    own.destroy();
    await eventually('all of them were sent away', () => silent.every(({ closed }) => closed));
  });
});

describe('an api that announced itself', () => {
  it('is told of at once, and one that has fallen silent is given up with what was asked of it', async () => {
    await using store = await createTestStore();
    const { secret, directory } = await openPlatform(store);
    let asked = 0;
    const silent = await startPeer(secret, () => asked++);
    await announceApi(store.db, { name: 'host-1', ...silent });
    const edge = await startTestEdge(null, { elsewhere: directory });
    const waiting = edge.call({ path: '/' });
    await eventually('it is asked', () => asked === 1);
    const other = await startPeer(secret, say('other'));
    await announceApi(store.db, { name: 'host-2', ...other });
    await store.pool.query(`update apis set seen_at = now() - interval '1 minute' where name = 'host-1'`);
    directory.onWake();
    expect((await waiting).body).toContain('other GET');
    expect((await readApis(store.db)).map(({ isOverdue }) => isOverdue)).toEqual([true, false]);
  });

  it('is not cut off for what its host was called before its machine was started again', async () => {
    await using store = await createTestStore();
    const { secret, directory } = await openPlatform(store);
    const asked: ServerResponse[] = [];
    const peer = await startPeer(secret, (_request, response) => asked.push(response));
    const { host, port } = peer;
    await announceApi(store.db, { name: 'host-1@now', host, port });
    await announceApi(store.db, { name: 'host-1@before', host, port });
    await store.pool.query(`update apis set seen_at = now() - interval '1 minute' where name = 'host-1@before'`);
    const edge = await startTestEdge(null, { elsewhere: directory });
    const waiting = edge.call({ path: '/' });
    await eventually('it is asked', () => asked.length === 1);
    for (let at = 0; at < 2; at++) {
      directory.onWake();
      await directory.look();
    }
    expect(directory.list()).toEqual([{ host, port }]);
    asked[0]!.end('answered once');
    expect((await waiting).body).toBe('answered once');
    expect(asked).toHaveLength(1);
    await announceApi(store.db, { name: 'host-1@now', host, port });
    expect((await readApis(store.db)).map(({ name }) => name)).toEqual(['host-1@now']);
  });

  it('stays known while the store is away and after, and who does not answer is tried last', async () => {
    await using store = await createTestStore();
    let isAway = false;
    const seen = {
      ...store,
      get db() {
        if (isAway) throw new Error('Connection terminated');
        return store.db;
      },
    };
    const { secret, directory } = await openPlatform(seen);
    const [one, two] = [await startPeer(secret, say('one')), await startPeer(secret, say('two'))];
    await announceApi(store.db, { name: 'host-1', ...one });
    await announceApi(store.db, { name: 'host-2', ...two });
    const lookAgain = async () => {
      directory.onWake();
      await directory.look();
    };
    await lookAgain();
    isAway = true;
    one.end();
    await lookAgain();
    await store.pool.query(`update apis set seen_at = now() - interval '1 minute'`);
    const firsts = () => [directory.list()[0], directory.list()[0]].map((peer) => peer?.port);
    expect(firsts()).toEqual([two.port, two.port]);
    isAway = false;
    await lookAgain();
    expect(directory.list()).toHaveLength(2);
    expect(firsts()).toEqual([two.port, two.port]);
  });
});

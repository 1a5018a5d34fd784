import { mkdtempSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive } from '../../../lib/process-identity.ts';
import { removeTree } from '../../../lib/remove-tree.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createProxies } from './proxies.ts';
import { readState } from './proxy-files.ts';

const homes: string[] = [];
const servers: Server[] = [];

afterEach(async () => {
  for (const home of homes) {
    await createProxies({ config: { home } }).hold(new Map());
    await removeTree(home);
  }
  for (const server of servers) server.close();
  homes.length = servers.length = 0;
});

function open() {
  const home = mkdtempSync(join(tmpdir(), 'lilac-proxies-'));
  homes.push(home);
  const stateOf = (port: number) => readState(join(home, 'run', 'addresses'), port);
  return { home, stateOf, addresses: createProxies({ config: { home } }) };
}

/** Answers what it was sent, with its name in front. */
async function serve(name: string): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined).write(name);
    socket.pipe(socket);
  });
  servers.push(server);
  return listen(server);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function ask(port: number, text: string | Buffer = '', host = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host, allowHalfOpen: true });
  socket.end(text);
  return buffer(socket).then(String, ({ code }: NodeJS.ErrnoException) => `${code}`);
}

const isRefused = async (port: number) => (await ask(port)) === 'ECONNREFUSED';
const outer = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('proxies', () => {
  it('pass everything on both ways, also after one side has said its last word', async () => {
    const { addresses } = open();
    const [port, target] = [await freePort(), await serve('one:')];
    await addresses.point(port, { target, networks: [] });
    expect(await addresses.list()).toEqual(new Map([[port, target]]));
    const large = Buffer.alloc(8_000_000, 'abc');
    expect(await ask(port, large)).toBe(`one:${large.toString()}`);
    expect(await ask(port, 'x', '::1')).toBe('one:x');
  });

  it('live on without whoever started them, and are told another target without losing who is connected', async () => {
    const { home, stateOf, addresses } = open();
    const [port, one, two] = [await freePort(), await serve('one'), await serve('two')];
    await addresses.point(port, { target: one, networks: [] });
    const before = stateOf(port)!.process;
    const connected = connect(port, '127.0.0.1');
    await new Promise((resolve) => connected.once('data', resolve));
    const next = createProxies({ config: { home } });
    await next.point(port, { target: two, networks: [] });
    expect(await ask(port)).toBe('two');
    expect(stateOf(port)!.process).toEqual(before);
    connected.write('still');
    expect(await firstOf(connected)).toBe('still');
    connected.destroy();
    await next.point(port, null);
    expect(isAlive(before)).toBe(false);
    await eventually('nobody is there', () => isRefused(port));
    expect(await next.list()).toEqual(new Map());
  });

  it('are started again when they were killed, and ended when they are wanted no more', async () => {
    const { stateOf, addresses } = open();
    const [port, other, target] = [await freePort(), await freePort(), await serve('one')];
    const lead = { target, networks: [] };
    await addresses.point(port, lead);
    await addresses.point(other, lead);
    process.kill(stateOf(port)!.process.pid, 'SIGKILL');
    await eventually('it is gone', () => isRefused(port));
    await addresses.hold(new Map([[port, lead]]));
    expect(await ask(port)).toBe('one');
    expect(await isRefused(other)).toBe(true);
  });

  it('cannot take the place of somebody else', async () => {
    const { addresses } = open();
    const [port, target] = [await serve('another'), await serve('one')];
    const taken = createServer();
    servers.push(taken);
    await new Promise<void>((resolve) => taken.listen(0, '::', resolve));
    const takenPort = (taken.address() as AddressInfo).port;
    await expect(addresses.point(takenPort, { target, networks: [] })).rejects.toThrow(/did not come up/);
    expect(await ask(port)).toBe('another');
  });

  it.skipIf(!outer)('keep strangers out, and end those who have become strangers', async () => {
    const { addresses } = open();
    const [port, target] = [await freePort(), await serve('one')];
    await addresses.point(port, { target, networks: [`${outer}/32`] });
    const client = connect({ port, host: outer, localAddress: outer });
    expect(await firstOf(client)).toBe('one');
    const ended = new Promise((resolve) => client.once('close', resolve));
    await addresses.point(port, { target, networks: ['198.18.0.0/32', '2001:db8::/32'] });
    await ended;
    const answer = await buffer(connect({ port, host: outer, localAddress: outer })).then(String, () => '');
    expect(answer).toBe('');
    expect(await ask(port)).toBe('one');
  });
});

function firstOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
}

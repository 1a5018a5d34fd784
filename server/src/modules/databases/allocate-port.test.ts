import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createDatabase, createOwner } from '../../testing/factories.ts';
import { startApi } from '../../testing/harness.ts';
import { allocatePort, candidates } from './allocate-port.ts';

async function listen(host: string) {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void (await new Promise((resolve) => server.close(resolve))) };
}

describe('a port for a database', () => {
  it('is looked for in all of the range, from a place of the installation on', () => {
    const databases = { ports: { first: 15_000, last: 15_009 } };
    const [one, other] = [[...candidates({ home: '/a', databases })], [...candidates({ home: '/b', databases })]];
    const all = Array.from({ length: 10 }, (_, index) => 15_000 + index);
    expect(one.toSorted((a, b) => a - b)).toEqual(all);
    expect(other.toSorted((a, b) => a - b)).toEqual(all);
    expect(one).not.toEqual(other);
  });

  it('is none that a row or a stranger has, and the lack of one is told', async () => {
    await using api = await startApi();
    await using stranger = await listen('127.0.0.1');
    const { organisationId } = await createOwner(api);
    const { port: ofRow } = await createDatabase(api, { organisationId });
    const ask = (first: number, last: number) =>
      api.store.db
        .transaction()
        .execute((tx) => allocatePort(tx, { home: '/a', databases: { ports: { first, last } } }));
    await expect(ask(ofRow, ofRow)).rejects.toMatchObject({ code: 'CF001' });
    await expect(ask(stranger.port, stranger.port)).rejects.toThrow('LILAC_DATABASE_PORTS');
  });
});

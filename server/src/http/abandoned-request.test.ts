import { connect } from 'node:net';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { startStreaming } from '../testing/start-streaming.ts';

/** An api with a log of several pages, whose pages are held back until they are let go. */
async function startSlow() {
  const api = await startStreaming();
  for (let line = 1; line <= 60; line++) await api.write(`line ${line}`);
  const gate = Promise.withResolvers<void>();
  // oxlint-disable-next-line typescript/unbound-method -- called with the client it belongs to
  const ask = pg.Client.prototype.query as (this: unknown, ...question: unknown[]) => unknown;
  let pages = 0;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: unknown, ...question: unknown[]): never {
    const { text } = question[0] as { text?: string };
    if (!text?.includes('from log_chunks')) return ask.apply(this, question) as never;
    pages++;
    return gate.promise.then(() => ask.apply(this, question)) as never;
  });
  return { api, pages: () => pages, letGo: () => gate.resolve() };
}

type Api = Awaited<ReturnType<typeof startStreaming>>;

function requestTo(api: Api, target: string, body = '') {
  const socket = connect(api.port, '127.0.0.1');
  const headers = [`Host: localhost`, `Authorization: Bearer ${api.owner.token}`, `Content-Length: ${body.length}`];
  socket.write(`${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n${body}`);
  return socket;
}

const search = (api: Api) => {
  const { organisationId, environment } = api;
  const filters = { textSearch: 'nowhere' };
  const body = { targetOrganisationId: organisationId, environmentId: environment.id, filters };
  return requestTo(api, 'POST /api/environments/logs', JSON.stringify(body));
};

const follow = (api: Api) => requestTo(api, `GET ${api.path}?lines=1000&textSearch=nowhere`);

afterEach(() => void vi.restoreAllMocks());

describe.each([
  ['a search', search],
  ['the beginning of a stream', follow],
])('%s that nobody waits for', (_, send) => {
  it('ends, and is no failure', async () => {
    const { api, pages, letGo } = await startSlow();
    await using _api = api;
    const logged = vi.spyOn(api.log, 'error');
    const sockets = Array.from({ length: 10 }, () => send(api));
    await eventually('some look', () => pages() === 2);
    for (const socket of sockets) socket.destroy();
    await eventually('all are gone', async () => (await api.openConnections()) === 0);
    letGo();
    // Whoever comes now waits for none of them.
    const { organisationId, environment, owner } = api;
    const body = { targetOrganisationId: organisationId, environmentId: environment.id };
    expect(await api.call('/api/environments/logs', { token: owner.token, body })).toMatchObject({ status: 200 });
    // The two that looked, and the three of this one.
    expect(pages()).toBe(5);
    expect(logged).not.toHaveBeenCalled();
  });
});

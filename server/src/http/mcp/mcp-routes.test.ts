import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createApiKey,
  createApplication,
  createDatabase,
  createOwner,
  productionOf,
  type TestOwner,
} from '../../testing/factories.ts';
import { startApi, type CallOptions, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
let owner: TestOwner;
let key: string;

beforeAll(async () => {
  api = await startApi();
  owner = await createOwner(api);
  key = (await createApiKey(api, { organisationId: owner.organisationId })).secret;
});
afterAll(() => api[Symbol.asyncDispose]());

const accept = 'application/json, text/event-stream';

function send(message: unknown, { headers, path = '/mcp', ...options }: CallOptions & { path?: string } = {}) {
  return api.call(path, { method: 'POST', token: key, ...options, headers: { accept, ...headers }, body: message });
}

async function ask(method: string, params: object = {}, options: CallOptions & { path?: string } = {}) {
  const answer = await send({ jsonrpc: '2.0', id: 1, method, params }, options);
  expect(answer).toMatchObject({ status: 200 });
  const data = /^data: (.*)$/m.exec(answer.text)![1]!;
  return (JSON.parse(data) as { result: Record<string, unknown> }).result;
}

async function call(name: string, input: object, options: CallOptions & { path?: string } = {}) {
  const result = await ask('tools/call', { name, arguments: input }, options);
  const [{ text }] = result['content'] as [{ text: string }];
  return { isError: result['isError'] === true, text };
}

const toolNames = async (options?: CallOptions & { path?: string }) =>
  ((await ask('tools/list', {}, options))['tools'] as { name: string }[]).map(({ name }) => name);

const done = { isError: false };

/** As clients of the protocol read what is refused before it is spoken. */
const refusal = (code: string, rpcCode = -32600) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: rpcCode, message: expect.any(String) as string, data: { code } },
});

const left = async () => Number((await api.call('/api/health', { method: 'GET' })).headers['ratelimit-remaining']);

describe('POST /mcp', () => {
  it('401 with a challenge that leads to the metadata, without a credential and with one that is not good', async () => {
    const { secret: revoked } = await createApiKey(api, {
      organisationId: owner.organisationId,
      revokedAt: api.clock.now(),
    });
    const refused = [
      [{}, 'CA001', false],
      [{ authorization: 'Bearer nonsense' }, 'CA002', true],
      [{ authorization: `Bearer ${revoked}` }, 'CA002', true],
    ] as const;
    for (const [headers, code, hasError] of refused) {
      const answer = await api.call('/mcp', { method: 'POST', body: {}, headers: { accept, ...headers } });
      expect(answer).toMatchObject({ status: 401, body: refusal(code) });
      const { pathname } = new URL(/resource_metadata="([^"]+)"/.exec(String(answer.headers['www-authenticate']))![1]!);
      expect(String(answer.headers['www-authenticate']).includes('invalid_token')).toBe(hasError);
      const metadata = await api.call(pathname, { method: 'GET' });
      const { origin } = api.config.publicUrl;
      expect(metadata.body).toMatchObject({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    }
  });

  it('takes a session and a key alike, and lists the tools', async () => {
    const names = await toolNames();
    expect(names).toContain('deploy_environment');
    expect(await toolNames({ token: owner.token })).toEqual(names);
  });

  it('acts as the caller: an organisation sees its own, and nothing of another', async () => {
    const { id: applicationId } = await createApplication(api, { organisationId: owner.organisationId, name: 'Ours' });
    const stranger = await createOwner(api);
    const { secret: strangersKey } = await createApiKey(api, { organisationId: stranger.organisationId });
    expect((await call('list_applications', {})).text).toContain('Ours');
    expect((await call('list_applications', {}, { token: owner.token })).text).toContain('Ours');
    for (const token of [stranger.token, strangersKey]) {
      expect((await call('list_applications', {}, { token })).text).not.toContain('Ours');
      expect(await call('get_application', { applicationId }, { token })).toMatchObject({
        isError: true,
        text: expect.stringContaining('NF001') as string,
      });
      const asOwner = { applicationId, organisationId: owner.organisationId };
      expect(await call('get_application', asOwner, { token })).toMatchObject({
        isError: true,
        text: expect.stringMatching(/CA003|CA004/) as string,
      });
    }
  });

  it('lets a key that may only read change nothing', async () => {
    const { secret: token } = await createApiKey(api, { organisationId: owner.organisationId, role: 'user' });
    const { isError, text } = await call('create_database', { name: 'not for you' }, { token });
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('CA005') as string });
    expect((await call('list_databases', {}, { token })).text).not.toContain('not for you');
  });

  it.each([
    ['?readonly=1', { path: '/mcp?readonly=1' }],
    ['?readOnly=yes', { path: '/mcp?readOnly=yes' }],
    ['?readonly=1&readonly=1', { path: '/mcp?readonly=1&readonly=1' }],
    ['X-Lilac-Read-Only', { headers: { 'x-lilac-read-only': '1' } }],
  ])('offers only what reads with %s', async (_, options) => {
    const names = await toolNames(options);
    expect(names).toContain('list_applications');
    for (const name of ['deploy_files', 'delete_database', 'reveal_environment_variable']) {
      expect(names).not.toContain(name);
    }
  });

  it('403 for a host that is not ours, and for a page of another origin', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const foreign: Record<string, string>[] = [
      { host: 'evil.test' },
      { host: 'evil.test', origin: 'http://evil.test' },
      { origin: 'http://evil.test' },
    ];
    for (const headers of foreign) {
      expect(await send(message, { headers })).toMatchObject({ status: 403, body: refusal('CA010') });
    }
    expect(await send(message, { headers: { host: 'localhost:7080' } })).toMatchObject({ status: 200 });
  });

  it('405 for GET and DELETE: there are no sessions', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await api.call('/mcp', { method, token: key, headers: { accept } })).toMatchObject({ status: 405 });
    }
  });

  it('413 for a body over a mebibyte, 415 for one that is not JSON, 400 for half a one', async () => {
    expect(await send('"' + 'x'.repeat(1_100_000) + '"')).toMatchObject({ status: 413, body: refusal('LM001') });
    expect(await send('{}', { headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
    expect(await send('{"jsonrpc":')).toMatchObject({ status: 400, body: refusal('VA002', -32700) });
  });

  it('400 for what cannot be stored, and for a parameter that it does not have', async () => {
    for (const params of [String.raw`{"a":"\u0000"}`, '{"a":{"__proto__":{}}}']) {
      const message = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`;
      expect(await send(message)).toMatchObject({ status: 400, body: refusal('VA001') });
    }
    const answer = await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { path: '/mcp?readonyl=1' });
    expect(answer).toMatchObject({ status: 400, body: refusal('VA001') });
    expect(answer.text).toContain('readonyl');
  });

  it('lets no page of another origin send the headers of the protocol; a listed one may do without', async () => {
    const headers = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-method' };
    const host = '127.0.0.1:7080';
    const preflight = (origin: string) =>
      api.call('/mcp', { method: 'OPTIONS', headers: { ...headers, origin, host } });
    expect(await preflight('http://evil.test')).toMatchObject({ status: 403 });
    const listed = await preflight(api.config.publicUrl.origin);
    expect(String(listed.headers['access-control-allow-headers'])).not.toMatch(/mcp/i);
    const { origin } = api.config.publicUrl;
    const older = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect(await send(older, { headers: { origin, host } })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin },
    });
  });

  it('names the ways that an assistant has where the platform refuses', async () => {
    const { organisationId } = owner;
    const { id: applicationId } = await createApplication(api, { organisationId });
    const { id: environmentId } = await productionOf(api, applicationId);
    const [one, other] = [await createDatabase(api, { organisationId }), await createDatabase(api, { organisationId })];
    const change = { custom_domain: 'www.example.org' };
    await api.store.db.updateTable('environments').set(change).where('id', '=', environmentId).execute();
    expect(await call('set_environment_variables', { environmentId, set: { OWN: 'x' } })).toMatchObject(done);
    expect(await call('connect_database', { databaseId: one.id, environmentId })).toMatchObject(done);
    const refused = [
      ['connect_database', { databaseId: other.id, environmentId }, /CF001/, /disconnect_database/],
      ['connect_database', { databaseId: one.id, environmentId, variable: 'OWN' }, /CF001/, /set_environment/],
      ['set_environment_variables', { environmentId, set: { DATABASE_URL: 'x' } }, /CF001/, /disconnect_database/],
      [
        'set_environment_variables',
        { environmentId, set: { OWN: 'y', DATABASE_URL: 'x' } },
        /CF001/,
        /disconnect_data/,
      ],
      ['set_environment_variables', { environmentId, remove: ['DATABASE_URL'] }, /CF001/, /disconnect_database/],
      ['add_domain', { environmentId, domain: 'other.example.org' }, /CF001/, /remove_domain/],
      ['get_logs', { environmentId, cursor: 'nonsense' }, /VA001/, /next_cursor/],
    ] as const;
    for (const [name, input, code, way] of refused) {
      const { isError, text } = await call(name, input);
      expect({ name, isError, text }).toMatchObject({ isError: true, text: expect.stringMatching(code) as string });
      expect(text).toMatch(way);
      expect(text).not.toMatch(/update-domain|X-Next-Cursor|environmentVars/);
    }
  });

  it('counts what its tools ask for against the limit of the caller', async () => {
    const before = await left();
    await call('list_applications', {});
    expect(before - (await left())).toBeGreaterThanOrEqual(3);
  });

  it('counts every message of a batch, and takes only so many', async () => {
    const ping = { jsonrpc: '2.0', method: 'ping' };
    const pings = (count: number) => Array.from({ length: count }, (_, id) => ({ ...ping, id }));
    const before = await left();
    expect(await send(pings(20))).toMatchObject({ status: 200 });
    expect(before - (await left())).toBeGreaterThanOrEqual(20);
    expect(await send(pings(21))).toMatchObject({ status: 400, body: refusal('VA001') });
    const read = { ...ping, method: 'resources/read', params: { uri: 'lilac://openapi.json' } };
    expect(await send([{ ...read, id: 1 }])).toMatchObject({ status: 200 });
    expect(
      await send([
        { ...read, id: 1 },
        { ...read, id: 2 },
      ]),
    ).toMatchObject({ status: 400, body: refusal('VA001') });
  });
});

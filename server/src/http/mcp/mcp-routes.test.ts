import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, createApplication, createOwner, type TestOwner } from '../../testing/factories.ts';
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
      expect(answer).toMatchObject({ status: 401, body: { code } });
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
      expect(await send(message, { headers })).toMatchObject({ status: 403, body: { code: 'CA010' } });
    }
    expect(await send(message, { headers: { host: 'localhost:7080' } })).toMatchObject({ status: 200 });
  });

  it('405 for GET and DELETE: there are no sessions', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      expect(await api.call('/mcp', { method, token: key, headers: { accept } })).toMatchObject({ status: 405 });
    }
  });

  it('413 for a body over a mebibyte, 415 for one that is not JSON, 400 for half a one', async () => {
    expect(await send('"' + 'x'.repeat(1_100_000) + '"')).toMatchObject({ status: 413, body: { code: 'LM001' } });
    expect(await send('{}', { headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415 });
    expect(await send('{"jsonrpc":')).toMatchObject({ status: 400, body: { code: 'VA002' } });
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
    expect(await send(pings(21))).toMatchObject({ status: 400, body: { code: 'VA001' } });
    const read = { ...ping, method: 'resources/read', params: { uri: 'lilac://openapi.json' } };
    expect(await send([{ ...read, id: 1 }])).toMatchObject({ status: 200 });
    expect(
      await send([
        { ...read, id: 1 },
        { ...read, id: 2 },
      ]),
    ).toMatchObject({ status: 400, body: { code: 'VA001' } });
  });
});

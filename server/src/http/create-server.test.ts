import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApplication, createApiKey, createOwner, productionOf } from '../testing/factories.ts';
import { startApi, type TestApi } from '../testing/harness.ts';

const status = '/api/applications/status';

function portOf({ app }: TestApi): number {
  const address = app.server.address();
  return typeof address === 'object' ? address!.port : 0;
}

describe('the server', () => {
  it('404 NF002 at a path that is not there, whatever is sent to it', async () => {
    await using api = await startApi();
    for (const path of ['/api/nothing', '/api', '/api/', '/api/applications/', '/API/health', '/api/%zz']) {
      for (const options of [
        { body: '{' },
        { method: 'GET' },
        { body: 'x', headers: { 'content-type': 'text/plain' } },
      ]) {
        const answer = await api.call(path, options);
        expect({ path, code: answer.body.code as string }).toEqual({
          path,
          code: path.includes('%') ? 'VA001' : 'NF002',
        });
        expect(answer.headers['x-request-id']).toMatch(/^req_/);
      }
    }
  });

  it('costs one query for access and the row together', async () => {
    await using api = await startApi();
    const { organisationId, token } = await createOwner(api);
    const { id } = await createApplication(api, { organisationId });
    const { secret } = await createApiKey(api, { organisationId });
    const queries = countQueries(api);
    const asPerson = await api.call(status, {
      token,
      body: { targetOrganisationId: organisationId, applicationId: id },
    });
    expect(asPerson).toMatchObject({ status: 200, body: { id, status: 'healthy' } });
    expect(queries()).toBe(1);
    const asKey = await api.call(status, { token: secret, body: { applicationId: id } });
    expect(asKey.body).toEqual(asPerson.body);
    expect(queries()).toBe(2);
  });

  it('costs one query for access and the session together', async () => {
    await using api = await startApi();
    const { organisationId, token, userId, sessionId } = await createOwner(api);
    await api.store.db.updateTable('sessions').set({ revoked_at: api.clock.now() }).execute();
    const queries = countQueries(api);
    const inOrganisation = await api.call('/api/organisations/plan', {
      token,
      body: { targetOrganisationId: organisationId, plan: 'free' },
    });
    expect([inOrganisation.status, queries()]).toEqual([401, 1]);
    const forOneself = await api.call('/api/auth/sessions/revoke', { token, body: { sessionId } });
    expect([forOneself.status, queries()]).toEqual([401, 2]);
    expect(await api.accessTokens.verify(token)).toMatchObject({ userId, sessionId });
  });

  it('takes a body of exactly 1 MiB and ignores fields it does not know', async () => {
    await using api = await startApi();
    const { organisationId, token } = await createOwner(api);
    const body = JSON.stringify({ targetOrganisationId: organisationId, padding: '', __proto__x: 1 });
    const padded = body.replace('"padding":""', `"padding":"${'x'.repeat(1024 * 1024 - body.length)}"`);
    expect(padded.length).toBe(1024 * 1024);
    expect((await api.call('/api/applications', { token, body: padded })).status).toBe(200);
  });

  it('ignores fields that would change prototypes', async () => {
    await using api = await startApi();
    const { organisationId, token } = await createOwner(api);
    const body = `{"targetOrganisationId":"${organisationId}","__proto__":{"page":"x"},"constructor":{"prototype":{}}}`;
    expect((await api.call('/api/applications', { token, body })).status).toBe(200);
  });

  it.each(['__proto__', String.raw`\u005f_pr\u006Fto_\u005F`])(
    '400 for a name that the caller chose and that cannot be kept: %s',
    async (name) => {
      await using api = await startApi();
      const { organisationId, token } = await createOwner(api);
      const { id: environmentId } = await productionOf(api, (await createApplication(api, { organisationId })).id);
      const addressed = { targetOrganisationId: organisationId, environmentId };
      const update = (variables: string) => {
        const body = JSON.stringify(addressed).replace('}', `,"environmentVars":${variables}}`);
        return api.call('/api/environments/update', { token, body });
      };
      const refused = { code: 'VA001', message: expect.stringContaining('"__proto__"') as string };
      expect(await update(`{"A":"1","${name}" : "x"}`)).toMatchObject({ status: 400, body: refused });
      const kept = { constructor: 'x', toString: 'y', A: '__proto__', B: '"__proto__":' };
      expect((await update(JSON.stringify(kept))).status).toBe(200);
      const shown = await api.call('/api/environments/get', { token, body: addressed });
      expect(shown.body).toMatchObject({ environment_vars: kept });
    },
  );

  it('takes no body at all where no field is required', async () => {
    await using api = await startApi();
    const { organisationId } = await createOwner(api);
    const { secret } = await createApiKey(api, { organisationId });
    expect((await api.call('/api/applications', { token: secret })).status).toBe(200);
    const empty = { body: '', headers: { 'content-type': 'application/json' } };
    expect((await api.call('/api/applications', { token: secret, ...empty })).status).toBe(200);
    expect((await api.call('/api/auth/logout', empty)).status).toBe(200);
  });

  it('takes forms from OAuth clients', async () => {
    await using api = await startApi();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await api.call('/api/auth/device/code', { headers, body: 'client_id=a+client&scope=x%26y' });
    expect(answer).toMatchObject({ status: 200, body: { interval: 5 } });
    const broken = await api.call('/api/auth/device/code', { headers, body: 'client_id=%00' });
    expect(broken).toMatchObject({ status: 400, body: { code: 'VA001' } });
  });

  it('500 SV001 with an id that is also in the log, and no detail', async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => lines.push(line) });
    await using api = await startApi({ log });
    const { organisationId, token } = await createOwner(api);
    await api.store.pool.query('alter table memberships rename to elsewhere');
    const answer = await api.call('/api/applications', { token, body: { targetOrganisationId: organisationId } });
    expect(answer).toMatchObject({ status: 500, body: { code: 'SV001' } });
    expect(answer.text).not.toMatch(/memberships|relation/);
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toContainEqual(
      expect.objectContaining({ errorId: answer.body.errorId as string, endpoint: 'applications.list' }),
    );
  });

  it('503 SV002 with Retry-After while the store cannot be reached', async () => {
    await using api = await startApi();
    const { organisationId, token } = await createOwner(api);
    const unreachable = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' });
    api.store.pool.query = () => Promise.reject(unreachable) as never;
    const answer = await api.call('/api/applications', { token, body: { targetOrganisationId: organisationId } });
    expect(answer).toMatchObject({ status: 503, body: { code: 'SV002' } });
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('finishes what is under way before it closes', async () => {
    await using api = await startApi();
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { promise: isHandling, resolve: nowHandling } = Promise.withResolvers<void>();
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
    const { organisationId } = await createOwner(api);
    const { secret } = await createApiKey(api, { organisationId });
    const query = api.store.pool.query.bind(api.store.pool) as (...input: unknown[]) => Promise<unknown>;
    api.store.pool.query = (async (...input: unknown[]) => {
      nowHandling();
      await mayAnswer;
      return query(...input);
    }) as never;
    const headers = { authorization: `Bearer ${secret}` };
    const answer = fetch(`http://127.0.0.1:${portOf(api)}/api/config/platform`, { headers });
    await isHandling;
    const closed = api.app.close();
    letAnswer();
    expect((await answer).status).toBe(200);
    await closed;
  });

  it('answers in its own shape even to what is not HTTP', async () => {
    await using api = await startApi();
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect(portOf(api), '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    const [head, body] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toMatch(/ratelimit-remaining: \d+/);
    expect(JSON.parse(body!)).toMatchObject({ code: 'VA001' });
  });
});

function countQueries({ store: { pool } }: TestApi): () => number {
  let queries = 0;
  const query = pool.query.bind(pool) as (...input: unknown[]) => unknown;
  pool.query = ((...input: unknown[]) => {
    queries++;
    return query(...input);
  }) as never;
  pool.on('acquire', () => queries++);
  return () => queries / 2;
}

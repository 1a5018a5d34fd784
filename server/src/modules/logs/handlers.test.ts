import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entry } from '../../logs/testing/log-world.ts';
import { writeLog } from '../../logs/testing/write-log.ts';
import { createApplication, createOwner, productionOf, type TestOwner } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
let owner: TestOwner;
let environmentId: string;
beforeAll(async () => {
  api = await startApi();
  owner = await createOwner(api);
  environmentId = (await productionOf(api, (await createApplication(api, owner)).id)).id;
  const atMs = api.clock.now().getTime();
  await writeLog(api.store.db, environmentId, [
    entry({ message: 'begins', atMs: atMs - 2000 }),
    entry({ message: 'fails', atMs: atMs - 1000, severity: 'ERROR' }),
    entry({ message: 'ends', atMs }),
  ]);
});
afterAll(() => api[Symbol.asyncDispose]());

const at = (agoMs: number) => new Date(api.clock.now().getTime() - agoMs).toISOString();

const logs = (body: object = {}) =>
  api.call('/api/environments/logs', {
    token: owner.token,
    body: { targetOrganisationId: owner.organisationId, environmentId, ...body },
  });

describe('POST /api/environments/logs', () => {
  it('answers lines of time, severity and message, the oldest first', async () => {
    const { status, body, headers } = await logs();
    expect(status).toBe(200);
    expect(body).toEqual([`${at(2000)} INFO begins`, `${at(1000)} ERROR fails`, `${at(0)} INFO ends`]);
    expect(headers['x-next-cursor']).toBeUndefined();
  });

  it('takes severities in any case and under other names, and says which there are', async () => {
    const wanted = await logs({ filters: { severity: ['error', 'CRITICAL'] } });
    expect(wanted.body).toEqual([expect.stringMatching(/ ERROR fails$/)]);
    const unknown = await logs({ filters: { severity: ['ERROR', 'loud'] } });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(unknown.body.message).toMatch(/"loud".*DEBUG, INFO, WARN, ERROR, FATAL/);
  });

  it('gives a cursor where there is more, and goes on at it', async () => {
    const first = await logs({ limit: 2 });
    expect(first.body.map((line: string) => line.split(' ').at(-1))).toEqual(['fails', 'ends']);
    const second = await logs({ limit: 2, cursor: first.headers['x-next-cursor'] });
    expect(second.body).toEqual([expect.stringMatching(/ INFO begins$/)]);
    expect(second.headers['x-next-cursor']).toBeUndefined();
  });

  it('shows a page in the order of time, and lines of the same time as they were stored', async () => {
    const { id } = await productionOf(api, (await createApplication(api, owner)).id);
    const atMs = api.clock.now().getTime();
    const messages = async (body: object = {}) =>
      (await logs({ environmentId: id, ...body })).body.map((line: string) => line.split(' ').at(-1));
    await writeLog(api.store.db, id, [
      entry({ message: 'ended', atMs: atMs - 100, severity: 'ERROR' }),
      entry({ message: 'last', atMs: atMs - 300 }),
      entry({ message: 'words', atMs: atMs - 300 }),
      entry({ message: 'again', atMs }),
    ]);
    expect(await messages()).toEqual(['last', 'words', 'ended', 'again']);
    // Pages are cut by number: none is missing, and none comes twice.
    const { headers } = await logs({ environmentId: id, limit: 3 });
    expect(await messages({ limit: 3 })).toEqual(['last', 'words', 'again']);
    expect(await messages({ limit: 3, cursor: headers['x-next-cursor'] })).toEqual(['ended']);
  });

  it('clamps the limit', async () => {
    expect((await logs({ limit: 0 })).body).toHaveLength(1);
    expect((await logs({ limit: -5.5 })).body).toHaveLength(1);
    expect((await logs({ limit: 1e9 })).body).toHaveLength(3);
  });

  it.each(['', 'x', 'bDA', 'bDAx', 'bDE=', 'bC0x', '%00', Buffer.from('l12345678901234567').toString('base64url')])(
    '400 for the cursor %j',
    async (cursor) => {
      expect(await logs({ cursor })).toMatchObject({
        status: 400,
        body: { code: 'VA001', message: expect.stringMatching(/^cursor is not valid: /) },
      });
    },
  );

  it('400 when the time begins after it ends', async () => {
    const filters = { startTime: '2026-11-15T12:00:01Z', endTime: '2026-11-15T13:00:00+01:00' };
    expect(await logs({ filters })).toMatchObject({
      status: 400,
      body: { message: 'filters.startTime is after filters.endTime.' },
    });
  });

  it('lets pages of allowed origins read the cursor', async () => {
    await using open = await startApi({ config: { allowedOrigins: ['https://console.example.org'] } });
    const { headers } = await open.call('/api/health', { headers: { origin: 'https://console.example.org' } });
    expect(headers['access-control-expose-headers']).toMatch(/\bX-Next-Cursor\b/);
  });
});

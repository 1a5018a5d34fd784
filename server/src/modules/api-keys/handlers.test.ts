import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, createMember, createOwner, type TestOwner } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
let owner: TestOwner;

beforeAll(async () => {
  api = await startApi();
  owner = await createOwner(api);
});
afterAll(() => api[Symbol.asyncDispose]());

const call = (path: string, body: object, who: TestOwner = owner) =>
  api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } });
const use = (secret: string) => api.call('/api/applications', { token: secret, body: {} });

describe('POST /api/api-keys/create', () => {
  it('201 with the secret, which works at once and is in no other answer', async () => {
    const created = await call('/api/api-keys/create', { name: '  CI  ', role: 'admin' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^key_/),
      name: 'CI',
      prefix: expect.stringMatching(/^lc_\w{12}_\w{4}…$/),
      role: 'admin',
      expires_at: null,
      created_at: expect.any(String),
      secret: expect.stringMatching(/^lc_\w{12}_\w{38}$/),
    });
    expect((await use(created.body.secret)).status).toBe(200);
    const listed = await call('/api/api-keys', {});
    expect(listed.text).not.toContain(created.body.secret);
    expect(listed.text).not.toMatch(/hash|secret/);
  });

  it('stores a hash of the secret and nothing that contains it', async () => {
    const { body } = await call('/api/api-keys/create', { name: 'stored' });
    const row = await api.store.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(body.secret.slice(20));
    expect(row.secret_hash).toHaveLength(32);
  });

  it('gives the role user when none is named, which reads and does not change', async () => {
    const { body } = await call('/api/api-keys/create', { name: 'reader' });
    expect(body.role).toBe('user');
    expect((await use(body.secret)).status).toBe(200);
    const refused = await api.call('/api/projects/create', { token: body.secret, body: { name: 'x' } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'CA005' } });
  });

  it('works until expiresAt and not from then on', async () => {
    const expiresAt = new Date(api.clock.now().getTime() + 60_000).toISOString();
    const { body, status } = await call('/api/api-keys/create', { name: 'short', expiresAt });
    expect(status).toBe(201);
    expect(body.expires_at).toBe(expiresAt);
    expect((await use(body.secret)).status).toBe(200);
    api.clock.advance(60_000);
    expect(await use(body.secret)).toMatchObject({ status: 401, body: { code: 'CA002' } });
  });

  it('takes an offset in expiresAt and answers UTC', async () => {
    const { body } = await call('/api/api-keys/create', { name: 'offset', expiresAt: '2099-01-01T02:00:00+02:00' });
    expect(body.expires_at).toBe('2099-01-01T00:00:00.000Z');
  });

  it('400 when expiresAt is not in the future', async () => {
    for (const expiresAt of [api.clock.now().toISOString(), '2001-01-01T00:00:00Z']) {
      const refused = await call('/api/api-keys/create', { name: 'late', expiresAt });
      expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
      expect(refused.body.message).toContain('expiresAt');
    }
  });

  it('400 when the role is owner', async () => {
    expect((await call('/api/api-keys/create', { name: 'boss', role: 'owner' })).status).toBe(400);
  });

  it('402 on the free plan', async () => {
    const free = await createOwner(api, { plan: 'free' });
    const refused = await call('/api/api-keys/create', { name: 'none' }, free);
    expect(refused).toMatchObject({ status: 402, body: { code: 'CA008' } });
  });

  it('403 for a member who may only read', async () => {
    const reader = await createMember(api, { organisationId: owner.organisationId });
    const refused = await call('/api/api-keys/create', { name: 'no' }, reader);
    expect(refused).toMatchObject({ status: 403, body: { code: 'CA005' } });
  });
});

describe('POST /api/api-keys', () => {
  it('lists the keys of the organisation only, newest first, revoked ones too', async () => {
    const other = await createOwner(api);
    const ids: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      ids.push((await call('/api/api-keys/create', { name }, other)).body.id);
    }
    await call('/api/api-keys/revoke', { keyId: ids[1] }, other);
    const { body, status } = await call('/api/api-keys', {}, other);
    expect(status).toBe(200);
    expect(body.map((key: { id: string }) => key.id)).toEqual(ids.toReversed());
    expect(body[1]).toMatchObject({ created_by: other.userId, revoked_at: expect.any(String), last_used_at: null });
    expect(body[0].revoked_at).toBeNull();
  });

  it('shows when a key was last used as soon as it was', async () => {
    const other = await createOwner(api);
    const { body: key } = await call('/api/api-keys/create', { name: 'used' }, other);
    await use(key.secret);
    const { body } = await call('/api/api-keys', {}, other);
    expect(body[0].last_used_at).toBe(api.clock.now().toISOString());
  });
});

describe('POST /api/api-keys/revoke', () => {
  it('ends the key with its next request, and the second time changes nothing', async () => {
    const { body: key } = await call('/api/api-keys/create', { name: 'doomed' });
    expect((await use(key.secret)).status).toBe(200);
    expect(await call('/api/api-keys/revoke', { keyId: key.id })).toMatchObject({
      status: 200,
      body: { revoked: true },
    });
    expect(await use(key.secret)).toMatchObject({ status: 401, body: { code: 'CA002' } });
    const revokedAt = async () =>
      (await call('/api/api-keys', {})).body.find((one: { id: string }) => one.id === key.id).revoked_at;
    const first = await revokedAt();
    api.clock.advance(1000);
    expect((await call('/api/api-keys/revoke', { keyId: key.id })).status).toBe(200);
    expect(await revokedAt()).toBe(first);
  });

  it('404 for a key that is unknown, or of another organisation, which then still works', async () => {
    const other = await createOwner(api);
    const key = await createApiKey(api, { organisationId: other.organisationId });
    for (const keyId of [key.keyId, 'key_unknown']) {
      expect(await call('/api/api-keys/revoke', { keyId })).toMatchObject({
        status: 404,
        body: { code: 'NF001', message: 'API key not found.' },
      });
    }
    expect((await use(key.secret)).status).toBe(200);
  });
});

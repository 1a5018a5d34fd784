import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRoute } from '../../routing/route-store.ts';
import { createApplication, createOwner, productionOf } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { FAILURE_WINDOW_MS } from '../accounts/attempt.ts';
import { issueUnlockCookie } from './unlock-cookie.ts';

const WEEK_SECONDS = 7 * 24 * 3600;
const PASSWORD = 'Größe 1';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const unlock = (environmentId: string, password: string) =>
  api.call('/api/environments/unlock', { body: { environmentId, password } });

async function createEnvironment(password = PASSWORD) {
  const { organisationId, token } = await createOwner(api);
  const application = await createApplication(api, { organisationId });
  const { id } = await productionOf(api, application.id);
  const call = (path: string, body: object) =>
    api.call(path, { token, body: { targetOrganisationId: organisationId, ...body } });
  const protect = (to: string | null) =>
    call('/api/environments/password', { environmentId: id, enabled: to !== null, ...(to ? { password: to } : {}) });
  expect((await protect(password)).status).toBe(200);
  const remove = () => call('/api/applications/delete', { applicationId: application.id });
  return { id, protect, remove };
}

describe('POST /api/environments/unlock', () => {
  it('200 with the cookie that the edges check by the key of the route', async () => {
    const { id } = await createEnvironment();
    const { status, body, headers } = await unlock(id, PASSWORD);
    expect({ status, body }).toEqual({ status: 200, body: { unlocked: true } });
    const expiry = Math.floor(api.clock.now().getTime() / 1000) + WEEK_SECONDS;
    const { lock } = (await findRoute(api.store.db, id))!;
    const mac = createHmac('sha256', Buffer.from(lock!.key, 'base64url')).update(`${id}.${expiry}`).digest('base64url');
    expect(headers['set-cookie']).toBe(
      `lilac_unlock=${expiry}.${mac}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${WEEK_SECONDS}`,
    );
  });

  it('the same letters count as the same password, however a keyboard composes them', async () => {
    const { id } = await createEnvironment();
    expect((await unlock(id, PASSWORD.normalize('NFD'))).status).toBe(200);
  });

  it('401 CA012 and no cookie for a wrong password, and for one that was replaced', async () => {
    const { id, protect } = await createEnvironment('old');
    await protect('new');
    for (const wrong of ['old', 'New', ' new', 'x'.repeat(256)]) {
      const refused = await unlock(id, wrong);
      expect(refused).toMatchObject({ status: 401, body: { code: 'CA012' } });
      expect(refused.headers['set-cookie']).toBeUndefined();
    }
  });

  it('200 without a cookie where nothing is locked', async () => {
    const { id, protect } = await createEnvironment();
    await protect(null);
    const answer = await unlock(id, 'whatever');
    expect(answer).toMatchObject({ status: 200, body: { unlocked: true } });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('404 NF001 for an environment that never was, and for one that is being deleted', async () => {
    const { id, remove } = await createEnvironment();
    expect((await remove()).status).toBe(200);
    for (const gone of ['env_nowhere', id]) {
      expect(await unlock(gone, PASSWORD)).toMatchObject({ status: 404, body: { code: 'NF001' } });
    }
  });

  it('429 CA009 with Retry-After after ten wrong ones, for this environment alone, until the window ends', async () => {
    const [{ id }, other] = [await createEnvironment(), await createEnvironment()];
    for (let guess = 0; guess < 10; guess++) expect((await unlock(id, 'wrong')).status).toBe(401);
    api.clock.advance(60_000);
    const refused = await unlock(id, PASSWORD);
    expect(refused).toMatchObject({ status: 429, body: { code: 'CA009' } });
    expect(refused.headers['retry-after']).toBe(String(14 * 60));
    expect((await unlock(other.id, PASSWORD)).status).toBe(200);
    api.clock.advance(FAILURE_WINDOW_MS - 60_000);
    expect((await unlock(id, PASSWORD)).status).toBe(200);
  });

  it('right ones are not counted, and guesses at once get no further than one after another', async () => {
    const { id } = await createEnvironment();
    for (let visit = 0; visit < 15; visit++) expect((await unlock(id, PASSWORD)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 30 }, () => unlock(id, 'wrong')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });
});

describe('the cookie', () => {
  it('travels by https only, where its owner came so, and else as it can', () => {
    const given = { environmentId: 'env_1', lock: { key: 'AAAA' }, now: new Date() };
    expect(issueUnlockCookie({ ...given, isSecure: true })).toMatch(/; Secure$/);
    expect(issueUnlockCookie({ ...given, isSecure: false })).not.toContain('Secure');
  });
});

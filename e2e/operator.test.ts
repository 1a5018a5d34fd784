import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lilacJson, runLilac } from './operator-commands.ts';
import { type Platform, startPlatform } from './platform.ts';

interface Owner {
  userId: string;
  organisationId: string;
}

interface Session {
  token: string;
  refreshToken: string;
  organisationId: string;
}

const ada = { email: 'ada@example.org', password: 'correct horse battery' };
const bob = { email: 'bob@example.org', password: 'another long pass phrase' };

let platform: Platform;
let owner: Owner;
let session: Session;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform[Symbol.asyncDispose]());

async function call(path: string, options: { body?: object; token?: string; headers?: Record<string, string> } = {}) {
  const response = await fetch(platform.url + path, {
    method: options.body ? 'POST' : 'GET',
    headers: {
      ...(options.body ? { 'content-type': 'application/json' } : {}),
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...options.headers,
    },
    ...(options.body ? { body: JSON.stringify(options.body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const lilac = (...argv: string[]) => runLilac(argv, { home: platform.home });
const json = <T>(...argv: string[]) => lilacJson<T>(argv, { home: platform.home });

function createOwner({ email, password }: typeof ada, organisation: string, plan: string): Promise<Owner> {
  const named = ['--email', email, '--organisation', organisation, '--plan', plan];
  return json<Owner>('admin', 'owner', 'create', '--password', password, ...named);
}

/** In the owner's name, in the owner's organisation. */
const ownerCall = (path: string, body: object) =>
  call(path, { token: session.token, body: { targetOrganisationId: owner.organisationId, ...body } });

const refresh = (refreshToken: string) =>
  call('/api/auth/refresh', { body: { refreshToken }, headers: { 'x-client-type': 'cli' } });

/** A code works once; the one of the next half minute is accepted already. */
const codeOf = (secret: string, stepsAhead = 0) =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 });

describe('a fresh installation', () => {
  it('answers that it is healthy', async () => {
    expect(await call('/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it("gets its owner and a session by the operator's commands", async () => {
    owner = await createOwner(ada, 'Acme', 'pro');
    session = await json<Session>('admin', 'session', 'create', '--email', ada.email);
    expect(session.organisationId).toBe(owner.organisationId);
    const profile = await call('/api/auth/profile', { token: session.token });
    expect(profile).toMatchObject({
      status: 200,
      body: { id: owner.userId, organisations: [{ id: owner.organisationId, role: 'owner', plan: 'pro' }] },
    });
  });

  it('takes the same password in the console', async () => {
    const headers = { origin: platform.url };
    expect(await call('/console/sign-in', { body: ada, headers })).toMatchObject({ status: 200 });
    const wrong = await call('/console/sign-in', { body: { ...ada, password: bob.password }, headers });
    expect(wrong.status).toBe(401);
  });
});

describe('an API key', () => {
  it('is created, listed, used, revoked, refused', async () => {
    const created = await ownerCall('/api/api-keys/create', { name: 'ci' });
    expect(created).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^lc_/) as string } });
    const { id, secret } = created.body as { id: string; secret: string };
    const listed = await ownerCall('/api/api-keys', {});
    expect(listed.body).toMatchObject([{ id, name: 'ci', revoked_at: null }]);
    expect(JSON.stringify(listed.body)).not.toContain(secret);
    expect(await call('/api/applications', { token: secret, body: {} })).toMatchObject({ status: 200 });
    expect(await ownerCall('/api/api-keys/revoke', { keyId: id })).toEqual({ status: 200, body: { revoked: true } });
    const refused = await call('/api/applications', { token: secret, body: {} });
    expect(refused).toMatchObject({ status: 401, body: { code: 'CA002' } });
  });

  it('403 CA003 when it names another organisation', async () => {
    const { body } = await ownerCall('/api/api-keys/create', { name: 'elsewhere' });
    const elsewhere = { targetOrganisationId: 'org_elsewhere' };
    const refused = await call('/api/applications', { token: body['secret'], body: elsewhere });
    expect(refused).toMatchObject({ status: 403, body: { code: 'CA003' } });
  });

  it('402 on the free plan, until "lilac admin plan set", and again after', async () => {
    const { organisationId } = await createOwner(bob, 'Bobs', 'free');
    const { token } = await json<Session>('admin', 'session', 'create', '--email', bob.email);
    const create = () =>
      call('/api/api-keys/create', { token, body: { targetOrganisationId: organisationId, name: 'ci' } });
    const setPlan = (plan: string) => json('admin', 'plan', 'set', '--organisation', organisationId, '--plan', plan);
    expect(await create()).toMatchObject({ status: 402, body: { code: 'CA008' } });
    await setPlan('pro');
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(await call('/api/applications', { token: body['secret'], body: {} })).toMatchObject({ status: 200 });
    await setPlan('free');
    expect((await call('/api/applications', { token: body['secret'], body: {} })).status).toBe(402);
  });
});

describe('a session', () => {
  it('is renewed by its refresh token, which then is dead', async () => {
    const renewed = await refresh(session.refreshToken);
    expect(renewed.status).toBe(200);
    expect(renewed.body['refreshToken']).not.toBe(session.refreshToken);
    expect(await call('/api/auth/profile', { token: renewed.body['token'] })).toMatchObject({ status: 200 });
    expect(await refresh(session.refreshToken)).toMatchObject({ status: 401, body: { code: 'CA002' } });
    session = { ...session, ...renewed.body };
  });

  it('shows among the connected devices as the operator’s', async () => {
    const { body } = await call('/api/auth/sessions', { token: session.token, body: {} });
    expect(body).toContainEqual(expect.objectContaining({ kind: 'operator', current: true }));
  });
});

describe('lilac admin key rotate, while the server runs', () => {
  it('signs nobody out, and the second factor still works', async () => {
    const { token } = session;
    const enrolled = await call('/api/profile/mfa/enrol', { token, body: { currentPassword: ada.password } });
    const secret = enrolled.body['secret']!;
    expect((await call('/api/profile/mfa/confirm', { token, body: { code: codeOf(secret) } })).status).toBe(200);

    const report = await json<{ rewrapped: number; unreadable: string[] }>('admin', 'key', 'rotate');
    expect(report.unreadable).toEqual([]);
    expect(report.rewrapped).toBeGreaterThan(1);

    expect(await call('/api/auth/profile', { token })).toMatchObject({ status: 200, body: { mfa_enabled: true } });
    const asked = await call('/console/sign-in', { body: ada, headers: { origin: platform.url } });
    expect(asked).toMatchObject({ status: 200, body: { mfaRequired: true } });
    const answer = { pendingToken: asked.body['pendingToken'], code: codeOf(secret, 1) };
    expect(await call('/api/auth/login/mfa', { body: answer })).toMatchObject({ status: 200 });
    const fresh = await json<Session>('admin', 'session', 'create', '--email', ada.email);
    expect(await call('/api/auth/profile', { token: fresh.token })).toMatchObject({ status: 200 });
  });
});

describe('lilac doctor, while the server runs', () => {
  it('finds it whole', async () => {
    const environment = { LILAC_PORT: new URL(platform.url).port };
    const { exitCode, stdout } = await runLilac(['doctor', '--json'], { home: platform.home, environment });
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: { id: string; status: string }[] };
    expect({ exitCode, ok, failed: checks.filter(({ status }) => status === 'fail') }).toEqual({
      exitCode: 0,
      ok: true,
      failed: [],
    });
    for (const id of ['processes.supervisor', 'processes.roles', 'store.server', 'store.schema', 'network.port']) {
      expect(checks.find((check) => check.id === id)).toMatchObject({ status: 'ok' });
    }
  });
});

describe('lilac restore, while the server runs', () => {
  it('is refused, with what to do', async () => {
    const { exitCode, stdout, stderr } = await lilac('restore', '/dev/null');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('Stop the server');
  });
});

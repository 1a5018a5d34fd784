import { describe, expect, it } from 'vitest';
import { createLilac, memorySession, SignedOut, type SessionStore, type TokenPair } from './lilac.ts';
import { accessToken, refusal, startFakePlatform, type Answers } from './testing/start-fake-platform.ts';

const old: TokenPair = { token: accessToken('old'), refreshToken: 'refresh-1' };
const renewed: TokenPair = { token: accessToken('new'), refreshToken: 'refresh-2' };

/** Takes the new access token only, and gives it for the first refresh token. */
const takingTheNew: Answers = {
  '/api/auth/profile': ({ headers }) =>
    headers.authorization === `Bearer ${renewed.token}` ? { json: { id: 'usr_1' } } : refusal(401, 'CA002'),
  '/api/auth/refresh': ({ body }) =>
    body['refreshToken'] === old.refreshToken ? { json: renewed } : refusal(401, 'CA002'),
};

function recorded(pair: TokenPair | null, lock?: SessionStore['lock']) {
  const steps: string[] = [];
  const store = memorySession(pair);
  const session: SessionStore = {
    ...store,
    async write(next) {
      steps.push(`write ${next.refreshToken}${next.refreshKey ? ' with a key' : ''}`);
      await store.write(next);
    },
    async clear() {
      steps.push('clear');
      await store.clear();
    },
    ...(lock && { lock }),
  };
  return { session, steps, store };
}

describe('a session', () => {
  it('is refreshed once after its token was refused, however many calls were under way', async () => {
    await using platform = await startFakePlatform(takingTheNew);
    const { session, steps } = recorded(old);
    const lilac = createLilac({ baseUrl: platform.url, session });
    const profiles = await Promise.all([1, 2, 3, 4].map(() => lilac.call('auth.profile')));
    expect(profiles).toHaveLength(4);
    expect(platform.of('/api/auth/refresh')).toHaveLength(1);
    expect(platform.of('/api/auth/refresh')[0]?.headers).toMatchObject({ 'x-client-type': 'cli' });
    expect(platform.of('/api/auth/refresh')[0]?.headers.authorization).toBeUndefined();
    expect(steps).toEqual(['write refresh-2']);
  });

  it('is refreshed as one of a program, once, however the caller spells the header', async () => {
    await using platform = await startFakePlatform(takingTheNew);
    const headers = { 'x-client-type': 'cli', Accept: 'application/json' };
    await createLilac({ baseUrl: platform.url, session: memorySession(old), headers }).call('auth.profile');
    const [refresh] = platform.of('/api/auth/refresh');
    expect(refresh?.headers).toMatchObject({ 'x-client-type': 'cli', accept: 'application/json' });
  });

  it('is not replaced by one that could never be refreshed again', async () => {
    await using platform = await startFakePlatform({
      ...takingTheNew,
      '/api/auth/refresh': () => ({ json: { token: renewed.token } }),
    });
    const { session, store } = recorded(old);
    const call = createLilac({ baseUrl: platform.url, session }).call('auth.profile');
    await expect(call).rejects.toThrow('without a refresh token');
    expect(await store.read()).toEqual(old);
  });

  it('is refreshed before the token expires, so that no call is refused', async () => {
    await using platform = await startFakePlatform(takingTheNew);
    const { session } = recorded({ ...old, token: accessToken('old', 10) });
    await createLilac({ baseUrl: platform.url, session }).call('auth.profile');
    expect(platform.asked.map(({ path }) => path)).toEqual(['/api/auth/refresh', '/api/auth/profile']);
  });

  it('is never sent to where a redirect leads, and is kept', async () => {
    await using other = await startFakePlatform(takingTheNew);
    await using platform = await startFakePlatform({
      '/api/auth/refresh': () => ({ status: 307, headers: { location: `${other.url}/api/auth/refresh` }, json: {} }),
    });
    const { session, steps } = recorded({ ...old, token: accessToken('old', 10) });
    const call = createLilac({ baseUrl: platform.url, session }).call('auth.profile');
    await expect(call).rejects.toThrow(`The platform at ${platform.url} says that it is at ${other.url}: use that`);
    expect({ asked: other.asked, steps }).toEqual({ asked: [], steps: [] });
  });

  it('stores the new pair before it uses it', async () => {
    await using platform = await startFakePlatform(takingTheNew);
    const full: SessionStore = {
      ...memorySession(old),
      write: () => Promise.reject(new Error('the disk is full')),
    };
    const call = createLilac({ baseUrl: platform.url, session: full }).call('auth.profile');
    await expect(call).rejects.toThrow('the disk is full');
    expect(platform.of('/api/auth/profile')).toHaveLength(1);
  });

  it('ends with SignedOut where the refresh is refused, and is forgotten', async () => {
    await using platform = await startFakePlatform(takingTheNew);
    const { session, steps } = recorded({ ...old, refreshToken: 'dead' }, (work) => work());
    const call = createLilac({ baseUrl: platform.url, session }).call('auth.profile');
    await expect(call).rejects.toBeInstanceOf(SignedOut);
    expect(steps.at(-1)).toBe('clear');
  });

  it('is not asked for, and throws SignedOut, where nobody is signed in', async () => {
    await using platform = await startFakePlatform(takingTheNew);
    const lilac = createLilac({ baseUrl: platform.url, session: memorySession() });
    await expect(lilac.call('auth.profile')).rejects.toBeInstanceOf(SignedOut);
    expect(platform.asked).toEqual([]);
  });

  it('uses what another process has stored meanwhile', async () => {
    await using platform = await startFakePlatform(takingTheNew);
    const store = memorySession(old);
    const lilac = createLilac({ baseUrl: platform.url, session: store });
    await lilac.call('auth.profile');
    expect(platform.of('/api/auth/refresh')).toHaveLength(1);
    const late = createLilac({
      baseUrl: platform.url,
      session: { ...store, read: readFirst(old, () => store.read()) },
    });
    await late.call('auth.profile');
    expect(platform.of('/api/auth/refresh')).toHaveLength(1);
  });

  it('asks again with the same key when the answer was lost, in this process and in the next', async () => {
    let losses = 2;
    await using platform = await startFakePlatform({
      ...takingTheNew,
      '/api/auth/refresh'(_, raw) {
        if (losses-- <= 0) return { json: renewed };
        raw.destroy();
        return null;
      },
    });
    const { session, steps } = recorded(old, (work) => work());
    const killed = createLilac({ baseUrl: platform.url, session, retryForMs: 0 }).call('auth.profile');
    await expect(killed).rejects.toThrow('fetch failed');
    await createLilac({ baseUrl: platform.url, session }).call('auth.profile');
    const keys = platform.of('/api/auth/refresh').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(steps).toEqual(['write refresh-1 with a key', 'write refresh-2']);
  });

  it('gives way to a token', async () => {
    await using platform = await startFakePlatform(takingTheNew);
    const session = memorySession(old);
    await createLilac({ baseUrl: platform.url, session, token: renewed.token }).call('auth.profile');
    await createLilac({ baseUrl: platform.url, session, token: () => null }).call('auth.profile');
    expect(platform.asked.map(({ path }) => path.split('/').at(-1))).toEqual([
      'profile',
      'profile',
      'refresh',
      'profile',
    ]);
  });

  it('is left alone by a sign-in that is refused', async () => {
    await using platform = await startFakePlatform({ '/api/auth/login/mfa': () => refusal(401, 'CA002') });
    const { session, steps } = recorded(old);
    const call = createLilac({ baseUrl: platform.url, session }).call('auth.login.mfa', {
      body: { pendingToken: 'x', code: '1' },
    });
    await expect(call).rejects.toMatchObject({ code: 'CA002' });
    expect(platform.asked).toHaveLength(1);
    expect(steps).toEqual([]);
  });
});

function readFirst(first: TokenPair, then: SessionStore['read']): SessionStore['read'] {
  let reads = 0;
  return () => (reads++ === 0 ? Promise.resolve(first) : then());
}

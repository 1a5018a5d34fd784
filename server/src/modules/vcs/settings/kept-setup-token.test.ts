import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../testing/harness.ts';
import { issueVcsSetupLink } from './setup-link.ts';

describe('the set-up token, while a browser is at the first host', () => {
  let api: TestApi;
  let setupToken: string;
  beforeAll(async () => {
    api = await startApi({ config: { publicUrl: new URL('https://lilac.example.org') } });
    setupToken = new URL((await issueVcsSetupLink(api)).url).hash.slice(1);
  });
  afterAll(() => api?.[Symbol.asyncDispose]());

  const begin = async (headers: Record<string, string> = {}) => {
    const {
      status,
      body,
      headers: answered,
    } = await api.call('/api/vcs-setup/begin', { body: { setupToken }, headers });
    const setCookie = String(answered['set-cookie']);
    return { status, setCookie, cookie: setCookie.split(';', 1)[0]!, state: (body as { state: string }).state };
  };
  const resume = (state: string, headers: Record<string, string>) =>
    api.call('/api/vcs-setup/resume', { body: { state }, headers });

  it('is kept for 15 minutes, where no script and no other site reaches it, and is not in the answer', async () => {
    const { status, setCookie, state } = await begin();
    expect(status).toBe(200);
    expect(setCookie).toMatch(
      /^__Host-lc_vcs_setup\.[\w-]{43}=[\w-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(state).not.toContain(setupToken);
    const { setCookie: plain } = await begin({ host: '192.168.1.5:7080' });
    expect(plain).toMatch(/^lc_vcs_setup_7080\.[\w-]{43}=[\w-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it('is given back once, to the browser that began, by the state', async () => {
    const { state, cookie } = await begin();
    const answer = await resume(state, { cookie: `a=b; ${cookie}` });
    expect(answer).toMatchObject({ status: 200, body: { setupToken } });
    expect(answer.headers).toMatchObject({
      'set-cookie': `__Host-lc_vcs_setup.${state}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure`,
      'cache-control': 'no-store',
    });
    expect((await api.call('/api/vcs-setup/show', { body: answer.body })).status).toBe(200);
  });

  it('is kept for each of the ways there on which the tabs of a browser are, and the end of one ends no other', async () => {
    const jar = new Map<string, string>();
    const keep = (cookie: string) => jar.set(cookie.split('=', 1)[0]!, cookie);
    const [first, second] = [await begin(), await begin()];
    for (const { cookie } of [first, second]) keep(cookie);
    const answers = [];
    for (const { state } of [second, first]) {
      const answer = await resume(state, { cookie: [...jar.values()].join('; ') });
      answers.push([answer.status, answer.body]);
      keep(String(answer.headers['set-cookie']).split(';', 1)[0]!);
    }
    expect(answers).toEqual([
      [200, { setupToken }],
      [200, { setupToken }],
    ]);
    const again = await resume(first.state, { cookie: [...jar.values()].join('; ') });
    expect(again).toMatchObject({ status: 401, body: { code: 'CA002' } });
  });

  it('is given to nobody else: another browser, with another state, from another site', async () => {
    const { state, cookie } = await begin();
    for (const [given, headers] of [
      [state, {}],
      [(await begin()).state, { cookie }],
      ['of-somebody', { cookie }],
    ] as const) {
      const answer = await resume(given, headers);
      expect(answer).toMatchObject({ status: 401, body: { code: 'CA002' } });
      expect(answer.headers['set-cookie'], 'a forged way back does not end the journey').toBeUndefined();
    }
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of elsewhere) {
      expect(await resume(state, { cookie, ...headers })).toMatchObject({ status: 403, body: { code: 'CA010' } });
    }
    expect((await resume(state, { cookie })).status, 'which goes on').toBe(200);
  });

  it('is read from the cookie by nothing else', async () => {
    const { cookie } = await begin();
    for (const [path, code] of [
      ['/api/vcs-setup/show', 'CA002'],
      ['/api/vcs-setup/begin', 'CA002'],
      ['/api/auth/refresh', 'CA001'],
    ] as const) {
      const body = code === 'CA002' ? { setupToken: 'guessed' } : undefined;
      expect(await api.call(path, { headers: { cookie }, body })).toMatchObject({ status: 401, body: { code } });
    }
  });

  it('is not kept where it is none', async () => {
    const answer = await api.call('/api/vcs-setup/begin', { body: { setupToken: 'guessed' } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'CA002' } });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

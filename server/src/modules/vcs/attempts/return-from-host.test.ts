import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMember, createOwner, type TestOwner } from '../../../testing/factories.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { callbacks, createLinkBench, type LinkBench } from '../testing/link-bench.ts';

let bench: LinkBench;
let owner: TestOwner;
beforeAll(async () => {
  bench = await createLinkBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

beforeEach(async () => {
  owner = await createOwner(bench.api);
  const { provider1 } = bench.hosts;
  provider1.isDown = false;
  provider1.isSetUp = true;
  provider1.before = () => {};
  provider1.installations.clear();
  provider1.people.add('ada', { administers: ['acme'] });
});

const begin = () => bench.begin('provider1', owner);
const linked = (who = owner) => bench.linkedTo(who);
const attempt = () => bench.attempt(owner);
const adasCode = () => bench.hosts.provider1.people.codeFor('ada');
const install = (account = 'acme') => String(bench.hosts.provider1.addInstallation(account).id);

describe('a person who comes back from the first host', () => {
  it('has linked the installation to the organisation for which they began', async () => {
    const { url, state, cookie, setCookie } = await begin();
    expect(url).toBe(`https://provider1.example/apps/lilac/installations/new?state=${encodeURIComponent(state)}`);
    expect(setCookie).toMatch(/^lc_vcs_provider1\.vca_\w+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600$/);
    const installation_id = install();
    const answer = await bench.comeBack(
      { state, installation_id, setup_action: 'install', code: adasCode() },
      { cookie },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['set-cookie']).toBe(`${cookie.split('=', 1)[0]}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`);
    expect(answer.text).toContain('<h1>acme is linked</h1>');
    expect(await linked()).toEqual([
      expect.objectContaining({ installationId: Number(installation_id), accountLogin: 'acme' }),
    ]);
    expect(await attempt()).toEqual({ state: 'linked', message: null });
    expect(await bench.activity(owner)).toContain(`installation_linked acme by ${owner.email}`);
  });

  it('has linked by each of the tabs in which they began, whichever comes back first', async () => {
    bench.hosts.provider1.people.add('ada', { administers: ['acme', 'globex'] });
    const [first, second] = [await begin(), await begin()];
    const jar = new Map([first, second].map(({ cookie }) => [cookie.split('=', 1)[0], cookie]));
    for (const [{ state }, account] of [
      [first, 'acme'],
      [second, 'globex'],
    ] as const) {
      const query = { state, installation_id: install(account), code: adasCode() };
      const answer = await bench.comeBack(query, { cookie: [...jar.values()].join('; ') });
      expect(answer.text).toContain(`<h1>${account} is linked</h1>`);
      const cleared = String(answer.headers['set-cookie']).split(';', 1)[0]!;
      jar.set(cleared.split('=', 1)[0], cleared);
    }
    expect((await linked()).map(({ accountLogin }) => accountLogin).toSorted()).toEqual(['acme', 'globex']);
  });

  it('is sent on to say who they are, when the host was not told to ask', async () => {
    const { state, cookie } = await begin();
    const installation_id = install();
    const answer = await bench.comeBack({ state, installation_id, setup_action: 'install' }, { cookie });
    expect(answer.status).toBe(303);
    const next = new URL(String(answer.headers['location']));
    expect(next.origin + next.pathname).toBe('https://provider1.example/authorize');
    expect(next.searchParams.get('state')).toBe(state);
    expect(await linked()).toEqual([]);
    const redirectUrl = next.searchParams.get('redirect_uri')!;
    expect(new URL(redirectUrl).pathname).toBe('/api/vcs-app/callback');
    const code = bench.hosts.provider1.people.codeFor('ada', redirectUrl);
    expect((await bench.comeBack({ state, code }, { cookie })).status).toBe(200);
    expect(await linked()).toEqual([expect.objectContaining({ installationId: Number(installation_id) })]);
  });

  it('may link the installation of one account to several organisations, and several to one', async () => {
    const other = await createOwner(bench.api);
    const [acme, own] = [install(), install('ada')];
    for (const [who, installation_id] of [
      [owner, acme],
      [other, acme],
      [owner, own],
    ] as const) {
      const { state, cookie } = await bench.begin('provider1', who);
      expect((await bench.comeBack({ state, installation_id, code: adasCode() }, { cookie })).status).toBe(200);
    }
    expect((await linked()).map(({ accountLogin }) => accountLogin)).toEqual(['acme', 'ada']);
    expect((await linked(other)).map(({ accountLogin }) => accountLogin)).toEqual(['acme']);
  });

  it('has linked nothing yet when an owner must approve, and may come back', async () => {
    const { state, cookie } = await begin();
    const answer = await bench.comeBack({ state, setup_action: 'request', code: adasCode() }, { cookie });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('An owner of the account there must approve it.');
    expect((await attempt()).state).toBe('requested');
    const installation_id = install();
    expect((await bench.comeBack({ state, installation_id, code: adasCode() }, { cookie })).status).toBe(200);
    expect(await linked()).toHaveLength(1);
  });

  it('who said no is told so', async () => {
    const { state, cookie } = await begin();
    const query = { state, error: 'access_denied', error_description: 'Call 555-0100 to win' };
    const answer = await bench.comeBack(query, { cookie });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('You did not allow it at the host.');
    expect(answer.text).not.toContain('555');
    expect((await attempt()).state).toBe('refused');
  });

  it('without having begun here links nothing, and is told where to begin', async () => {
    const answer = await bench.comeBack({ installation_id: install(), setup_action: 'install', code: adasCode() });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('lilac vcs install');
    expect(await linked()).toEqual([]);
  });
});

/** Comes back as it should be, with changes; nothing must be linked by it. */
async function refusal(change: { query?: Record<string, string>; cookie?: string } = {}) {
  const { state, cookie } = await begin();
  const query = { state, installation_id: install(), code: adasCode(), ...change.query };
  const answer = await bench.comeBack(query, { cookie: change.cookie ?? cookie });
  expect(await linked()).toEqual([]);
  return answer;
}

describe('nothing is linked', () => {
  it("of somebody else's: whoever invents a number is not told whose it is", async () => {
    const theirs = bench.hosts.provider1.addInstallation('secret-corp');
    const foreign = await refusal({ query: { installation_id: String(theirs.id) } });
    const absent = await refusal({ query: { installation_id: '999999' } });
    expect(foreign.status).toBe(400);
    expect(foreign.text).toBe(absent.text);
    expect(foreign.text).not.toContain('secret-corp');
    expect(foreign.text).toContain('you do not administer the account');
    expect((await attempt()).state).toBe('refused');
  });

  it('for a member of the account who does not administer it', async () => {
    const { provider1 } = bench.hosts;
    provider1.addRepository('acme/shop');
    provider1.people.add('bob', { reaches: ['acme/shop'] });
    const answer = await refusal({ query: { code: provider1.people.codeFor('bob') } });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('you do not administer the account');
  });

  it.each(['-5', '0', '1e3', '12.5', "1' or '1'='1", '99999999999999999999', 'NaN'])(
    'for the number %s',
    async (installation_id) => {
      expect((await refusal({ query: { installation_id } })).status).toBe(400);
    },
  );

  it('with a state that was altered, made up, or begun for another host', async () => {
    const { state } = await begin();
    const { state: ofAnother, cookie } = await bench.begin('provider2', owner);
    for (const wrong of [`${state}x`, state.toUpperCase(), 'vca_0.x', ofAnother, 'a'.repeat(3000)]) {
      const answer = await refusal({ query: { state: wrong }, cookie });
      expect([wrong, answer.status]).toEqual([wrong, wrong.length > 2000 ? 200 : 400]);
    }
  });

  it('with a state that comes twice in the address', async () => {
    const { state, cookie } = await begin();
    const path = `${callbacks.provider1}?state=${state}&state=${state}&installation_id=${install()}&code=${adasCode()}`;
    expect((await bench.api.call(path, { method: 'GET', headers: { cookie } })).status).toBe(200);
    expect(await linked()).toEqual([]);
  });

  it('after an hour', async () => {
    const { state, cookie } = await begin();
    bench.api.clock.advance(3600 * 1000);
    const answer = await bench.comeBack({ state, installation_id: install(), code: adasCode() }, { cookie });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('more than an hour');
    const { sessionId, userId } = owner;
    owner = { ...owner, token: await bench.api.accessTokens.issue({ sessionId, userId }) };
    expect(await linked()).toEqual([]);
  });

  it('a second time by the same address', async () => {
    const { state, cookie } = await begin();
    const query = { state, installation_id: install(), code: adasCode() };
    expect((await bench.comeBack(query, { cookie })).status).toBe(200);
    const other = install('ada');
    const again = await bench.comeBack({ ...query, installation_id: other, code: adasCode() }, { cookie });
    expect(again.status).toBe(400);
    expect(again.text).toContain('completed before');
    expect((await linked()).map(({ accountLogin }) => accountLogin)).toEqual(['acme']);
    expect((await attempt()).state).toBe('linked');
  });

  it('with a code that was used, and then neither with a good one', async () => {
    const code = adasCode();
    await bench.hosts.provider1.redeemCode({ code, redirectUrl: '' });
    const { state, cookie } = await begin();
    const installation_id = install();
    expect((await bench.comeBack({ state, installation_id, code }, { cookie })).status).toBe(400);
    expect((await attempt()).state).toBe('refused');
    expect((await bench.comeBack({ state, installation_id, code: adasCode() }, { cookie })).status).toBe(400);
    expect(await linked()).toEqual([]);
  });

  it('for a person who was removed from the organisation meanwhile, or may no longer change it', async () => {
    const { organisationId } = owner;
    const { db } = bench.api.store;
    for (const change of ['removed', 'lowered'] as const) {
      const admin = await createMember(bench.api, { organisationId, role: 'admin' });
      const { state, cookie } = await bench.begin('provider1', admin);
      const membership = { organisationId, userId: admin.userId };
      await (change === 'removed'
        ? db.deleteFrom('memberships').where('user_id', '=', membership.userId).execute()
        : db.updateTable('memberships').set({ role: 'user' }).where('user_id', '=', membership.userId).execute());
      const answer = await bench.comeBack({ state, installation_id: install(), code: adasCode() }, { cookie });
      expect([change, answer.status]).toEqual([change, 400]);
      expect(answer.text).toContain(change === 'removed' ? 'not a member' : 'An admin of the organisation');
      expect(await linked()).toEqual([]);
    }
  });

  it('while the operator has not set up the host', async () => {
    const { state, cookie } = await begin();
    bench.hosts.provider1.isSetUp = false;
    const answer = await bench.comeBack({ state, installation_id: install(), code: adasCode() }, { cookie });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('is not set up here</h1>');
    expect(answer.text).toContain('lilac admin vcs setup');
    expect(answer.text).not.toContain('gives a new address');
    const refused = await bench.get(`/api/vcs-app/install?organisationId=${owner.organisationId}`, owner);
    expect([refused.status, refused.body.code]).toEqual([409, 'CF001']);
  });

  it('by HEAD', async () => {
    const { state, cookie } = await begin();
    const query = new URLSearchParams({ state, installation_id: install(), code: adasCode() });
    const answer = await bench.api.call(`${callbacks.provider1}?${query}`, { method: 'HEAD', headers: { cookie } });
    expect(answer.status).toBe(404);
    expect(await linked()).toEqual([]);
  });
});

describe('who names no organisation', () => {
  const paths = ['/api/vcs-app/install', '/api/provider2/connect', '/api/provider3/connect'];

  it('means the only one they belong to', async () => {
    for (const path of paths) expect([path, (await bench.get(path, owner)).status]).toEqual([path, 200]);
    const { body, headers } = await bench.get('/api/vcs-app/install', owner);
    const state = new URL(body.url as string).searchParams.get('state')!;
    const cookie = String(headers['set-cookie']).split(';', 1)[0]!;
    await bench.comeBack({ state, installation_id: install(), code: adasCode() }, { cookie });
    expect(await linked()).toMatchObject([{ accountLogin: 'acme' }]);
  });

  it('is asked to name one of several: 400 CA007', async () => {
    const second = await createOwner(bench.api);
    await bench.api.store.db
      .insertInto('memberships')
      .values({ user_id: owner.userId, organisation_id: second.organisationId, role: 'user' })
      .execute();
    for (const path of paths) {
      const { status, body } = await bench.get(path, owner);
      expect([path, status, body.code]).toEqual([path, 400, 'CA007']);
      expect(body.message).toContain('name one as organisationId');
    }
  });
});

describe('a browser that is not the one that began', () => {
  it.each([
    ['none', undefined],
    ['made up', 'A'.repeat(43)],
  ])('is sent to ask the person: proof %s', async (_title, proof) => {
    const { state, cookie: own } = await begin();
    const cookie = proof && `${own.split('=', 1)[0]}=${proof}`;
    const query = { state, installation_id: install(), code: adasCode() };
    const answer = await bench.comeBack(query, cookie === undefined ? {} : { cookie });
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toMatch(/^\/connect#vca_[0-9a-z]{26}\.[\w-]{43}$/);
    expect(String(answer.headers['location'])).not.toContain(state);
    expect(await linked()).toEqual([]);
    expect((await attempt()).state).toBe('confirm');
  });

  it('is not let in by the cookie of another attempt, nor by what it proves', async () => {
    const [mine, other] = [await begin(), await begin()];
    const proof = other.cookie.split('=')[1];
    for (const cookie of [other.cookie, `${mine.cookie.split('=', 1)[0]}=${proof}`]) {
      const { state } = mine;
      await bench.comeBack({ state, installation_id: install(), code: adasCode() }, { cookie });
      expect(await linked()).toEqual([]);
    }
  });

  it('gets the ticket once: who comes again by the same address gets none', async () => {
    const { state, cookie } = await begin();
    const query = { state, installation_id: install(), code: adasCode() };
    expect((await bench.comeBack(query)).status).toBe(303);
    for (const again of [
      await bench.comeBack(query),
      await bench.comeBack({ ...query, code: adasCode() }, { cookie }),
    ]) {
      expect(again.status).toBe(400);
      expect(again.headers['location']).toBeUndefined();
    }
    expect(await linked()).toEqual([]);
  });

  it('keeps nothing of the person who came back under the name of who began', async () => {
    const { state } = await begin();
    await bench.comeBack({ state, installation_id: install(), code: adasCode() });
    const kept = await bench.api.store.db
      .selectFrom('vcs_connections')
      .select('id')
      .where('user_id', '=', owner.userId)
      .execute();
    expect(kept).toEqual([]);
  });
});

describe('a host that is down', () => {
  it('when it is to say who came back: it is told, and the person may try again', async () => {
    const { state, cookie } = await begin();
    const query = { state, installation_id: install(), code: adasCode() };
    bench.hosts.provider1.isDown = true;
    const answer = await bench.comeBack(query, { cookie });
    expect(answer.status).toBe(503);
    expect(answer.headers['retry-after']).toBe('7');
    expect(answer.text).toContain('does not answer');
    expect((await attempt()).state).toBe('waiting');
    bench.hosts.provider1.isDown = false;
    expect((await bench.comeBack(query, { cookie })).status).toBe(200);
    expect(await linked()).toHaveLength(1);
  });

  it('in the middle: nothing is half linked, and the person links it once the host is back', async () => {
    const { provider1 } = bench.hosts;
    const { state, cookie } = await begin();
    const installation_id = install();
    provider1.before = (method) => {
      if (method === 'administers') throw new HostUnavailable('Down.', { retryAfterSeconds: 5 });
    };
    expect((await bench.comeBack({ state, installation_id, code: adasCode() }, { cookie })).status).toBe(503);
    expect(await linked()).toEqual([]);
    provider1.before = () => {};
    const path = `/api/vcs-app/organisation/${owner.organisationId}/link-installation`;
    const body = { installationId: Number(installation_id) };
    expect((await bench.api.call(path, { method: 'POST', token: owner.token, body })).status).toBe(200);
    expect(await linked()).toHaveLength(1);
  });
});

describe('two that come back at once by one address', () => {
  it('are linked once, whoever is first', async () => {
    const { provider1 } = bench.hosts;
    const { state, cookie } = await begin();
    const query = { state, installation_id: install(), code: adasCode() };
    const answers = await Promise.all([1, 2, 3].map(() => bench.comeBack(query, { cookie })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(2);
    expect(await linked()).toHaveLength(1);
    expect((await attempt()).state).toBe('linked');
    expect((await bench.activity(owner)).filter((line) => line.startsWith('installation_linked'))).toHaveLength(1);
    expect(provider1.installations.size).toBe(1);
  });

  it('the second is told while the first is being looked into', async () => {
    const { provider1 } = bench.hosts;
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const { state, cookie } = await begin();
    const query = { state, installation_id: install(), code: adasCode() };
    provider1.before = async (method) => {
      if (method !== 'redeemCode') return;
      asked.resolve();
      await gate.promise;
    };
    const first = bench.comeBack(query, { cookie });
    await asked.promise;
    const second = await bench.comeBack(query, { cookie });
    expect([second.status, second.text.includes('at this moment')]).toEqual([400, true]);
    gate.resolve();
    expect((await first).status).toBe(200);
    expect(await linked()).toHaveLength(1);
  });

  it('one that was killed on the way keeps nobody away for long', async () => {
    const { state, cookie } = await begin();
    const until = new Date(bench.api.clock.now().getTime() + 60_000);
    await bench.api.store.db
      .updateTable('vcs_attempts')
      .set({ held_until: until })
      .where('organisation_id', '=', owner.organisationId)
      .execute();
    const query = { state, installation_id: install(), code: adasCode() };
    expect((await bench.comeBack(query, { cookie })).status).toBe(400);
    bench.api.clock.advance(60_000);
    expect((await bench.comeBack(query, { cookie })).status).toBe(200);
  });
});

describe.each(['provider2', 'provider3'] as const)('a person who comes back from %s', (provider) => {
  const code = () => bench.hosts[provider].people.codeFor('ada');

  it('has linked their connection', async () => {
    const { url, state, cookie } = await bench.begin(provider, owner);
    expect(new URL(new URL(url).searchParams.get('redirect_uri')!).pathname).toBe(callbacks[provider]);
    const answer = await bench.comeBack({ state, code: code() }, { provider, cookie });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('ada is linked');
    const { body } = await bench.get(`/api/${provider}/organisation/${owner.organisationId}/connections`, owner);
    expect(body).toEqual([expect.objectContaining({ accountLogin: 'ada', ownerEmail: owner.email, trouble: null })]);
    expect(await bench.activity(owner)).toContain(`connection_linked ada by ${owner.email}`);
  });

  it('with another browser must say yes first', async () => {
    const { state } = await bench.begin(provider, owner);
    const answer = await bench.comeBack({ state, code: code() }, { provider });
    const [, ticket] = String(answer.headers['location']).split('#');
    const { body } = await bench.get(`/api/${provider}/organisation/${owner.organisationId}/connections`, owner);
    expect(body).toEqual([]);
    const confirmed = await bench.api.call('/api/vcs-app/confirm', {
      token: owner.token,
      body: { attempt: ticket, confirm: true },
    });
    expect([confirmed.status, confirmed.body.linked, confirmed.body.accountLogin]).toEqual([200, true, 'ada']);
    const after = await bench.get(`/api/${provider}/organisation/${owner.organisationId}/connections`, owner);
    expect(after.body).toHaveLength(1);
  });

  it('without a code is refused', async () => {
    const { state, cookie } = await bench.begin(provider, owner);
    expect((await bench.comeBack({ state }, { provider, cookie })).status).toBe(400);
  });
});

it('lets nobody in at a host whose feature is off', async () => {
  await using off = await createLinkBench({ config: { featureSwitches: { provider2: false } } });
  const { status, body } = await off.get(`/api/provider2/connect?organisationId=${off.owner.organisationId}`);
  expect([status, body.code]).toEqual([403, 'FF001']);
  expect((await off.comeBack({ state: 'x', code: 'y' }, { provider: 'provider2' })).status).toBe(400);
});

it('lets few attempts of one person lie about', async () => {
  for (let count = 0; count < 25; count++) await begin();
  const { rows } = await bench.api.store.pool.query('select 1 from vcs_attempts where organisation_id = $1', [
    owner.organisationId,
  ]);
  expect(rows).toHaveLength(20);
});

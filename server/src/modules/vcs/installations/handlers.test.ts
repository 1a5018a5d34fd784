import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApiKey, createMember, createOwner, unique, type TestOwner } from '../../../testing/factories.ts';
import { createLinkBench, type LinkBench } from '../testing/link-bench.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';

let bench: LinkBench;
let owner: TestOwner;
/** An account at the host that nobody else has. */
let acme: string;
beforeAll(async () => {
  bench = await createLinkBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

beforeEach(async () => {
  owner = await createOwner(bench.api);
  acme = unique('acme');
  const { provider1 } = bench.hosts;
  Object.assign(provider1, { isDown: false, isSetUp: true, before: () => {} });
});

const path = (rest: string, { organisationId } = owner) => `/api/vcs-app/organisation/${organisationId}/${rest}`;
const post = (rest: string, body: object = {}, who = owner) =>
  bench.api.call(path(rest, who), { method: 'POST', token: who.token, body });
const remove = (rest: string, who = owner) => bench.api.call(path(rest, who), { method: 'DELETE', token: who.token });
const refusalOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

/** As if the person had been at the host once, by another organisation's address. */
async function signIn(who: TestOwner, login: string, can: { administers?: string[]; reaches?: string[] } = {}) {
  const { provider1 } = bench.hosts;
  provider1.people.add(login, can);
  const { state, cookie } = await bench.begin('provider1', who);
  await bench.comeBack({ state, code: provider1.people.codeFor(login) }, { cookie });
}

describe('vcs-app.installations', () => {
  it('is empty until the person was at the host, and then shows what they see and may link', async () => {
    const { provider1 } = bench.hosts;
    const ask = async () => (await bench.get('/api/vcs-app/installations', owner)).body;
    expect(await ask()).toEqual([]);
    const mine = provider1.addInstallation(acme, { granted: [] });
    const shared = provider1.addInstallation(`${acme}-shared`);
    provider1.addInstallation(`${acme}-hidden`);
    provider1.addRepository(`${acme}-shared/shop`);
    await signIn(owner, `${acme}-ada`, { administers: [acme], reaches: [`${acme}-shared/shop`] });
    expect(await ask()).toEqual([
      {
        installationId: mine.id,
        accountLogin: acme,
        accountType: 'organisation',
        repositorySelection: 'selected',
        suspended: false,
        url: mine.url,
        canLink: true,
      },
      expect.objectContaining({ installationId: shared.id, canLink: false }),
    ]);
    provider1.isDown = true;
    expect(refusalOf(await bench.get('/api/vcs-app/installations', owner))).toEqual([503, 'SV002']);
  });

  it('is empty again once they have taken back what they had allowed', async () => {
    const { provider1 } = bench.hosts;
    provider1.addInstallation(acme);
    await signIn(owner, `${acme}-ada`, { administers: [acme] });
    expect((await bench.get('/api/vcs-app/installations', owner)).body).toHaveLength(1);
    provider1.people.takeBack(`${acme}-ada`);
    expect((await bench.get('/api/vcs-app/installations', owner)).body).toEqual([]);
  });
});

describe('vcs-app.link-installation', () => {
  it('links what is there already, once', async () => {
    const { id: installationId } = bench.hosts.provider1.addInstallation(acme);
    await signIn(owner, `${acme}-ada`, { administers: [acme] });
    for (let time = 0; time < 2; time++) {
      const answer = await post('link-installation', { installationId });
      expect([answer.status, answer.body.installationId, answer.body.accountLogin]).toEqual([
        200,
        installationId,
        acme,
      ]);
      expect(Date.parse(answer.body.linkedAt as string)).not.toBeNaN();
    }
    expect(await bench.linkedTo(owner)).toHaveLength(1);
    const lines = (await bench.activity(owner)).filter((line) => line.startsWith('installation_linked'));
    expect(lines).toEqual([`installation_linked ${acme} by ${owner.email}`]);
  });

  it('refuses whoever does not administer the account, does not see it, or was never at the host', async () => {
    const { provider1 } = bench.hosts;
    const { id: installationId } = provider1.addInstallation(acme);
    expect(refusalOf(await post('link-installation', { installationId }))).toEqual([409, 'CF001']);
    provider1.addRepository(`${acme}/shop`);
    await signIn(owner, `${acme}-stranger`);
    expect(refusalOf(await post('link-installation', { installationId }))).toEqual([404, 'NF001']);
    expect(refusalOf(await post('link-installation', { installationId: 999_999 }))).toEqual([404, 'NF001']);
    await signIn(owner, `${acme}-bob`, { reaches: [`${acme}/shop`] });
    expect(refusalOf(await post('link-installation', { installationId }))).toEqual([403, 'CA005']);
    expect(await bench.linkedTo(owner)).toEqual([]);
  });

  it('is not open to who knows the person: only their own accounts at the host count', async () => {
    const { id: installationId } = bench.hosts.provider1.addInstallation(acme);
    await signIn(owner, `${acme}-ada`, { administers: [acme] });
    const admin = await createMember(bench.api, { organisationId: owner.organisationId, role: 'admin' });
    expect(refusalOf(await post('link-installation', { installationId }, admin))).toEqual([409, 'CF001']);
  });

  it('reads again what the person may do, once the host has answered', async () => {
    const { provider1 } = bench.hosts;
    const { id: installationId } = provider1.addInstallation(acme);
    const admin = await createMember(bench.api, { organisationId: owner.organisationId, role: 'admin' });
    await signIn(admin, `${acme}-ada`, { administers: [acme] });
    provider1.before = async (method) => {
      if (method !== 'administers') return;
      await bench.api.store.db.deleteFrom('memberships').where('user_id', '=', admin.userId).execute();
    };
    expect(refusalOf(await post('link-installation', { installationId }, admin))).toEqual([403, 'CA004']);
    expect(await bench.linkedTo(owner)).toEqual([]);
  });
});

describe('vcs-app.sync-installations', () => {
  it('forgets what is gone for every organisation, and brings the others up to date', async () => {
    const { provider1 } = bench.hosts;
    const gone = await bench.link(acme, owner);
    const kept = await bench.link(`${acme}-kept`, owner);
    const other = await createOwner(bench.api);
    await signIn(other, `admin-of-${acme}`, { administers: [acme] });
    expect((await post('link-installation', { installationId: gone }, other)).status).toBe(200);
    provider1.installations.delete(gone);
    Object.assign(provider1.installations.get(kept)!, { isSuspended: true, repositorySelection: 'selected' });
    const answer = await post('sync-installations');
    expect([answer.status, answer.body.removed]).toEqual([200, 1]);
    expect(answer.body.installations).toEqual([
      expect.objectContaining({ installationId: kept, suspended: true, repositorySelection: 'selected' }),
    ]);
    expect(await bench.linkedTo(other)).toEqual([]);
    for (const who of [owner, other])
      expect(await bench.activity(who)).toContain(`installation_gone ${acme} by platform`);
    expect((await post('sync-installations')).body.removed).toBe(0);
  });

  it('forgets nothing while the host does not answer, not even for one of them', async () => {
    const { provider1 } = bench.hosts;
    const first = await bench.link(acme, owner);
    await bench.link(`${acme}-second`, owner);
    provider1.installations.delete(first);
    let asked = 0;
    provider1.before = (method) => {
      if (method === 'findInstallation' && ++asked === 2) throw new HostUnavailable('Down.', { retryAfterSeconds: 9 });
    };
    const answer = await post('sync-installations');
    expect([...refusalOf(answer), answer.headers['retry-after']]).toEqual([503, 'SV002', '9']);
    expect(await bench.linkedTo(owner)).toHaveLength(2);
  });

  it('may be asked for by a key that may change things, and by no other', async () => {
    const { organisationId } = owner;
    await bench.link(acme, owner);
    const admin = await createApiKey(bench.api, { organisationId, role: 'admin' });
    const reader = await createApiKey(bench.api, { organisationId, role: 'user' });
    const sync = (token: string) => bench.api.call(path('sync-installations'), { method: 'POST', token, body: {} });
    expect((await sync(admin.secret)).status).toBe(200);
    expect(refusalOf(await sync(reader.secret))).toEqual([403, 'CA005']);
  });
});

describe('vcs-app.unlink-installation', () => {
  it('takes it from the one organisation', async () => {
    const installationId = await bench.link(acme, owner);
    const other = await createOwner(bench.api);
    await signIn(other, `admin-of-${acme}`, { administers: [acme] });
    await post('link-installation', { installationId }, other);
    expect((await remove(`installations/${installationId}`)).status).toBe(200);
    expect(await bench.linkedTo(owner)).toEqual([]);
    expect(await bench.linkedTo(other)).toHaveLength(1);
    expect(bench.hosts.provider1.installations.has(installationId)).toBe(true);
    expect(await bench.activity(owner)).toContain(`installation_unlinked ${acme} by ${owner.email}`);
    expect(refusalOf(await remove(`installations/${installationId}`))).toEqual([404, 'NF001']);
  });

  it("does not reach another organisation's", async () => {
    const installationId = await bench.link(acme, owner);
    const other = await createOwner(bench.api);
    expect(refusalOf(await remove(`installations/${installationId}`, other))).toEqual([404, 'NF001']);
    expect(refusalOf(await remove(`installations/${installationId}/uninstall`, other))).toEqual([404, 'NF001']);
    expect(await bench.linkedTo(owner)).toHaveLength(1);
  });

  it('ends what the organisation sees at once', async () => {
    bench.hosts.provider1.addRepository(`${acme}/shop`);
    const installationId = await bench.link(acme, owner);
    expect((await bench.get(path('repositories'), owner)).body).toHaveLength(1);
    await remove(`installations/${installationId}`);
    expect((await bench.get(path('repositories'), owner)).body).toEqual([]);
  });
});

describe('vcs-app.uninstall', () => {
  it('removes the app at the host, and tells every organisation that has lost it', async () => {
    const installationId = await bench.link(acme, owner);
    const other = await createOwner(bench.api);
    await signIn(other, `admin-of-${acme}`, { administers: [acme] });
    await post('link-installation', { installationId }, other);
    expect((await remove(`installations/${installationId}/uninstall`)).status).toBe(200);
    expect(bench.hosts.provider1.installations.has(installationId)).toBe(false);
    for (const who of [owner, other]) expect(await bench.linkedTo(who)).toEqual([]);
    expect(await bench.activity(owner)).toContain(`installation_uninstalled ${acme} by ${owner.email}`);
    expect(await bench.activity(other)).toContain(`installation_gone ${acme} by platform`);
    expect((await bench.activity(other)).join()).not.toContain(owner.email);
  });

  it('is refused to whoever does not administer the account, however much they may do here', async () => {
    const installationId = await bench.link(acme, owner);
    const { organisationId } = owner;
    const stranger = await createMember(bench.api, { organisationId, role: 'owner' });
    const uninstall = `installations/${installationId}/uninstall`;
    expect(refusalOf(await remove(uninstall, stranger))).toEqual([409, 'CF001']);
    bench.hosts.provider1.addRepository(`${acme}/shop`);
    await signIn(stranger, `${acme}-bob`, { reaches: [`${acme}/shop`] });
    expect(refusalOf(await remove(uninstall, stranger))).toEqual([403, 'CA005']);
    expect(bench.hosts.provider1.installations.has(installationId)).toBe(true);
    expect(await bench.linkedTo(owner)).toHaveLength(1);
  });

  it('leaves everything as it is while the host is down', async () => {
    const installationId = await bench.link(acme, owner);
    bench.hosts.provider1.isDown = true;
    expect(refusalOf(await remove(`installations/${installationId}/uninstall`))).toEqual([503, 'SV002']);
    expect(await bench.linkedTo(owner)).toHaveLength(1);
  });

  it('is well when it is gone already', async () => {
    const installationId = await bench.link(acme, owner);
    bench.hosts.provider1.installations.delete(installationId);
    expect((await remove(`installations/${installationId}/uninstall`)).status).toBe(200);
    expect(await bench.linkedTo(owner)).toEqual([]);
  });
});

const statusOf = async (repo: string, account = acme, who = owner) => {
  const query = new URLSearchParams({ organisationId: who.organisationId, owner: account, repo });
  return (await bench.get(`/api/vcs-app/installation-status?${query}`, who)).body;
};

describe('vcs-app.installation-status', () => {
  const NOTHING = {
    configured: true,
    installed: false,
    installationId: null,
    accountLogin: null,
    repoAccess: false,
    suspended: false,
  };

  it('tells whether the app is there, and whether it was granted the repository', async () => {
    const { provider1 } = bench.hosts;
    for (const name of ['granted', 'other']) provider1.addRepository(`${acme}/${name}`);
    provider1.addRepository(`${acme}/open`, { isPrivate: false });
    expect(await statusOf('granted')).toEqual(NOTHING);
    const installationId = await bench.link(acme, owner);
    Object.assign(provider1.installations.get(installationId)!, { granted: [`${acme}/granted`] });
    const installed = { configured: true, installed: true, installationId, accountLogin: acme, suspended: false };
    expect(await statusOf('granted')).toEqual({ ...installed, repoAccess: true });
    expect(await statusOf('GRANTED', acme.toUpperCase())).toEqual({ ...installed, repoAccess: true });
    for (const repo of ['other', 'absent', 'open'])
      expect(await statusOf(repo)).toEqual({ ...installed, repoAccess: false });
    expect(await statusOf('granted', `${acme}-other`)).toEqual(NOTHING);
    expect(await statusOf('granted', acme, await createOwner(bench.api))).toEqual(NOTHING);
  });

  it('grants nothing while the installation is suspended', async () => {
    const { provider1 } = bench.hosts;
    provider1.addRepository(`${acme}/shop`);
    const installationId = await bench.link(acme, owner);
    Object.assign(provider1.installations.get(installationId)!, { isSuspended: true });
    await post('sync-installations');
    expect(await statusOf('shop')).toMatchObject({ installed: true, repoAccess: false, suspended: true });
    const said =
      `The installation at ${acme} is suspended at the host: resume it there. If this is still said afterwards, ` +
      '"lilac vcs sync" looks again.';
    for (const list of ['repositories', `repositories/${acme}/shop/branches`]) {
      expect(await bench.get(path(list), owner)).toMatchObject({ status: 409, body: { code: 'CF001', message: said } });
    }
    Object.assign(provider1.installations.get(installationId)!, { isSuspended: false });
    expect(await statusOf('shop')).toMatchObject({ installed: true, repoAccess: true, suspended: false });
    expect((await bench.get(path('repositories'), owner)).status).toBe(200);
  });

  it('forgets what is gone at the host though nobody told of it, and nothing while the host is down', async () => {
    const { provider1 } = bench.hosts;
    const installationId = await bench.link(acme, owner);
    provider1.installations.delete(installationId);
    provider1.isDown = true;
    expect(await statusOf('shop')).toMatchObject({ code: 'SV002' });
    provider1.isDown = false;
    expect(await bench.linkedTo(owner)).toHaveLength(1);
    expect(await statusOf('shop')).toEqual(NOTHING);
    expect(await bench.linkedTo(owner)).toEqual([]);
    expect((await bench.activity(owner)).at(-1)).toBe(`installation_gone ${acme} by platform`);
  });

  it('asks the other installations where the host fails for one', async () => {
    const { provider1 } = bench.hosts;
    provider1.addRepository(`${acme}/shop`);
    for (let time = 0; time < 2; time++) await bench.link(acme, owner);
    let calls = 0;
    provider1.before = (method) => {
      if (method === 'findRepository' && ++calls === 1) throw new HostUnavailable('Slow.', { retryAfterSeconds: 7 });
    };
    expect(await statusOf('shop')).toMatchObject({ installed: true, repoAccess: true });
    calls = 0;
    expect(await statusOf('absent')).toMatchObject({ code: 'SV002' });
  });

  it('says when the operator has not set up the app', async () => {
    bench.hosts.provider1.isSetUp = false;
    expect(await statusOf('shop')).toEqual({ ...NOTHING, configured: false });
  });
});

describe('vcs-app.repositories and branches', () => {
  it('are those that the installations reach', async () => {
    const { provider1 } = bench.hosts;
    const branches = [{ name: 'main', sha: 'a'.repeat(40) }];
    const { id } = provider1.addRepository(`${acme}/shop`, { branches });
    await bench.link(acme, owner);
    expect((await bench.get(path('repositories'), owner)).body).toEqual([
      { id: Number(id), name: 'shop', full_name: `${acme}/shop`, private: true, default_branch: 'main' },
    ]);
    expect((await bench.get(path(`repositories/${acme}/shop/branches`), owner)).body).toEqual([
      { name: 'main', commit_sha: 'a'.repeat(40) },
    ]);
    expect(refusalOf(await bench.get(path(`repositories/${acme}/none/branches`), owner))).toEqual([404, 'NF001']);
  });

  it('say when they were read while the host does not answer', async () => {
    const { provider1 } = bench.hosts;
    provider1.addRepository(`${acme}/shop`);
    await bench.link(acme, owner);
    const lists = ['repositories', `repositories/${acme}/shop/branches`].map((list) => path(list));
    const readAt = bench.api.clock.now().toISOString();
    const fresh = await Promise.all(lists.map((list) => bench.get(list, owner)));
    bench.api.clock.advance(60_000);
    provider1.isDown = true;
    const old = await Promise.all(lists.map((list) => bench.get(list, owner)));
    expect(fresh.map(({ headers }) => headers['x-as-of'])).toEqual([undefined, undefined]);
    expect(old.map(({ headers }) => headers['x-as-of'])).toEqual([readAt, readAt]);
    expect(old.map(({ body }) => body)).toEqual(fresh.map(({ body }) => body));
  });
});

const check = async (accountLogins: string[], who = owner) =>
  (await post('check-accounts', { accountLogins }, who)).body.accounts as unknown;

describe('vcs-app.check-accounts', () => {
  const NOTHING = { installed: false, linkedToThisOrg: false };

  it('tells of what is linked, and of what the person sees at the host', async () => {
    const { provider1 } = bench.hosts;
    const seen = `${acme}-seen`;
    provider1.addInstallation(seen);
    await bench.link(acme, owner);
    expect(await check([acme.toUpperCase(), seen])).toEqual({
      [acme.toUpperCase()]: { installed: true, linkedToThisOrg: true },
      [seen]: NOTHING,
    });
    await signIn(owner, `${acme}-ada`, { administers: [seen] });
    expect(await check([acme, seen])).toEqual({
      [acme]: { installed: true, linkedToThisOrg: true },
      [seen]: { installed: true, linkedToThisOrg: false },
    });
  });

  it('tells nobody who else uses the platform', async () => {
    await bench.link(acme, owner);
    const stranger = await createOwner(bench.api);
    expect(await check([acme, '__proto__', 'nobody'], stranger)).toEqual(
      Object.fromEntries([acme, '__proto__', 'nobody'].map((login) => [login, NOTHING])),
    );
    const { secret } = await createApiKey(bench.api, { organisationId: owner.organisationId, role: 'user' });
    bench.hosts.provider1.addInstallation(`${acme}-other`);
    const { body } = await bench.api.call(path('check-accounts'), {
      method: 'POST',
      token: secret,
      body: { accountLogins: [acme, `${acme}-other`] },
    });
    expect(body.accounts).toEqual({ [acme]: { installed: true, linkedToThisOrg: true }, [`${acme}-other`]: NOTHING });
  });
});

it('keeps no token where anybody can read it', async () => {
  await bench.link(acme, owner);
  const { rows } = await bench.api.store.pool.query('select * from vcs_connections where user_id = $1', [owner.userId]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('stand-in-');
});

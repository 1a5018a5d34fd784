import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/ids.ts';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import {
  createApiKey,
  createApplication,
  createMember,
  createOwner,
  productionOf,
  type TestOwner,
  type TestUser,
} from '../../../testing/factories.ts';
import { startApi, type TestApi } from '../../../testing/harness.ts';
import { HostUnavailable } from '../../../vcs/vcs-host.ts';
import { createStandInHosts, type StandInHosts } from '../testing/stand-in-hosts.ts';
import { saveConnection } from './connection-store.ts';
import { sealTokens } from './seal-tokens.ts';

type Provider = 'provider2' | 'provider3';
const HOUR = 3600 * 1000;

let api: TestApi;
/** One object for the whole API; every test has its own notes in it. */
let hosts: StandInHosts;
let owner: TestOwner;
let admin: TestOwner;
let member: TestOwner;

beforeAll(async () => {
  const clock = createFakeClock();
  hosts = createStandInHosts(() => clock.now().getTime());
  api = await startApi({ clock, vcsHosts: hosts });
});
afterAll(() => api[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const provider of ['provider2', 'provider3'] as const) {
    Object.assign(hosts[provider], { isSetUp: true, isDown: false, before: () => {} });
    hosts[provider].repositories.clear();
  }
  owner = await createOwner(api);
  const { organisationId } = owner;
  admin = await createMember(api, { organisationId, role: 'admin' });
  member = await createMember(api, { organisationId, role: 'user' });
});

interface About {
  login?: string;
  provider?: Provider | 'provider1';
  reaches?: string[];
}

/** As if the person had been at the host and come back. */
async function connect(who: TestUser, { login = 'ada', provider = 'provider2', reaches = [] }: About = {}) {
  const { people } = hosts[provider];
  people.add(login, { reaches });
  const person = { id: `id-of-${login}`, login };
  const tokens = people.tokensFor(login);
  const seal = (id: string) => sealTokens(api.keyring, id, tokens);
  const { userId } = who;
  return api.store.db.transaction().execute((tx) => saveConnection(tx, { provider, userId, person, seal }));
}

const pathOf = (rest: string, { organisationId }: TestOwner = owner, provider: Provider = 'provider2') =>
  `/api/${provider}/organisation/${organisationId}/${rest}`;
const link = (who: TestOwner, connectionId: string, provider: Provider = 'provider2') =>
  api.call(pathOf('link-connection', who, provider), { method: 'POST', token: who.token, body: { connectionId } });
const unlink = (token: string, connectionId: string, of: TestOwner = owner) =>
  api.call(pathOf(`connections/${connectionId}`, of), { method: 'DELETE', token });
const disconnect = (who: TestUser, connectionId: string, provider: Provider = 'provider2') =>
  api.call(`/api/${provider}/disconnect`, { method: 'POST', token: who.token, body: { connectionId } });
const linkedTo = async (of: TestOwner = owner, provider: Provider = 'provider2') =>
  (await api.call(pathOf('connections', of, provider), { method: 'GET', token: of.token })).body;
const ownOf = async ({ token }: TestUser, provider: Provider = 'provider2') =>
  (await api.call(`/api/${provider}/connections`, { method: 'GET', token })).body;

async function activityOf({ token, organisationId }: TestOwner): Promise<string[]> {
  const { body } = await api.call('/api/organisations/activity', {
    token,
    body: { targetOrganisationId: organisationId },
  });
  return (body as { action: string; subject: string; actor_email: string }[])
    .filter(({ action }) => action.startsWith('connection_'))
    .map(({ action, subject, actor_email }) => `${action} ${subject} ${actor_email}`);
}

describe.each(['provider2', 'provider3'] as const)('linking a connection of %s', (provider) => {
  it('lets the organisation use it, shows whose it is, and is told in the activity once', async () => {
    const { id } = await connect(admin, { provider });
    const linked = await link(admin, id, provider);
    expect(linked).toMatchObject({ status: 200 });
    expect(linked.body).toEqual({
      id,
      accountLogin: 'ada',
      trouble: null,
      createdAt: expect.any(String),
      ownerEmail: admin.email,
      linkedAt: expect.any(String),
    });
    expect(await linkedTo(owner, provider)).toEqual([linked.body]);
    expect((await link(admin, id, provider)).body).toEqual(linked.body);
    expect(await activityOf(owner)).toEqual([`connection_linked ada ${admin.email}`]);
  });
});

describe('who may', () => {
  it('link: only whose connection it is, as an administrator, with a session', async () => {
    const { id } = await connect(admin);
    expect(await link(owner, id)).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(await link(admin, newId('vcc'))).toMatchObject({ status: 404, body: { code: 'NF001' } });
    const { id: ofMember } = await connect(member);
    expect(await link(member, ofMember)).toMatchObject({ status: 403, body: { code: 'CA005' } });
    const { secret } = await createApiKey(api, owner);
    const body = { connectionId: id };
    const byKey = await api.call(pathOf('link-connection'), { method: 'POST', token: secret, body });
    expect(byKey.status).toBe(403);
    expect(await linkedTo()).toEqual([]);
  });

  it('link: neither a connection of another host nor into an organisation of others', async () => {
    const { id: ofAnother } = await connect(admin, { provider: 'provider3' });
    expect(await link(admin, ofAnother)).toMatchObject({ status: 404 });
    const { id: ofTheFirst } = await connect(admin, { provider: 'provider1' });
    expect(await link(admin, ofTheFirst)).toMatchObject({ status: 404 });
    const { id } = await connect(admin);
    const stranger = await createOwner(api);
    expect((await link({ ...admin, organisationId: stranger.organisationId }, id)).status).toBe(403);
    expect(await linkedTo(stranger)).toEqual([]);
  });

  it('unlink: every administrator, and a key of one; no member, no other organisation', async () => {
    const { id } = await connect(admin);
    await link(admin, id);
    const stranger = await createOwner(api);
    expect(await unlink(stranger.token, id, stranger)).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(await unlink(member.token, id)).toMatchObject({ status: 403 });
    expect(await linkedTo()).toHaveLength(1);
    expect(await unlink(owner.token, id)).toMatchObject({ status: 200 });
    expect(await unlink(owner.token, id)).toMatchObject({ status: 404 });
    expect(await linkedTo()).toEqual([]);
    // The connection is still the person's.
    expect(await ownOf(admin)).toMatchObject([{ id }]);
    await link(admin, id);
    const { secret } = await createApiKey(api, owner);
    expect(await unlink(secret, id)).toMatchObject({ status: 200 });
    const done = (await activityOf(owner)).map((entry) => entry.split(' ')[0]);
    const [linked, unlinked] = ['connection_linked', 'connection_unlinked'];
    expect(done).toEqual([unlinked, linked, unlinked, linked]);
  });

  it('unlink: not by the address of another host', async () => {
    const { id } = await connect(admin);
    await link(admin, id);
    const path = pathOf(`connections/${id}`, owner, 'provider3');
    expect((await api.call(path, { method: 'DELETE', token: owner.token })).status).toBe(404);
    expect(await linkedTo()).toHaveLength(1);
  });

  it('see: members what is linked; own connections only their owner; tokens nobody', async () => {
    const { id } = await connect(admin);
    await connect(admin, { login: 'unlinked' });
    await link(admin, id);
    const asMember = await api.call(pathOf('connections'), { method: 'GET', token: member.token });
    expect(asMember.body).toMatchObject([{ id, accountLogin: 'ada', ownerEmail: admin.email }]);
    expect(asMember.text).not.toMatch(/unlinked|token|stand-in/i);
    expect(await ownOf(member)).toEqual([]);
    const own = await api.call('/api/provider2/connections', { method: 'GET', token: admin.token });
    expect(own.body.map((each: { accountLogin: string }) => each.accountLogin).toSorted()).toEqual(['ada', 'unlinked']);
    expect(own.text).not.toMatch(/token|stand-in/i);
    const stranger = await createOwner(api);
    const asStranger = await api.call(pathOf('connections'), { method: 'GET', token: stranger.token });
    expect(asStranger.status).toBe(403);
  });
});

describe('losing a connection', () => {
  it('goes with the membership of whose it is, and does not come back with it', async () => {
    const { id } = await connect(admin);
    await link(admin, id);
    const { organisationId, token } = owner;
    const body = { targetOrganisationId: organisationId, userId: admin.userId };
    expect((await api.call('/api/organisations/members/remove', { token, body })).status).toBe(200);
    expect(await linkedTo()).toEqual([]);
    expect(await ownOf(admin)).toMatchObject([{ id }]);
    const again = { organisation_id: organisationId, user_id: admin.userId, role: 'admin' } as const;
    await api.store.db.insertInto('memberships').values(again).execute();
    expect(await linkedTo()).toEqual([]);
  });

  it('disconnect forgets it and its tokens; every organisation that used it is told', async () => {
    const { id, user_id } = await connect(admin);
    await link(admin, id);
    const second = await createOwner(api);
    const role = 'admin' as const;
    const asAdmin = { organisation_id: second.organisationId, user_id, role };
    await api.store.db.insertInto('memberships').values(asAdmin).execute();
    await link({ ...admin, organisationId: second.organisationId }, id);
    const third = await createOwner(api);

    expect(await disconnect(owner, id)).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(await disconnect(admin, id, 'provider3')).toMatchObject({ status: 404 });
    expect(await disconnect(admin, id)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect(await disconnect(admin, id)).toMatchObject({ status: 404 });

    expect(await linkedTo()).toEqual([]);
    expect(await linkedTo(second)).toEqual([]);
    expect(await ownOf(admin)).toEqual([]);
    const rows = await api.store.db.selectFrom('vcs_connections').select('id').where('id', '=', id).execute();
    expect(rows).toEqual([]);
    for (const each of [owner, second]) {
      expect((await activityOf(each))[0]).toBe(`connection_disconnected ada ${admin.email}`);
    }
    expect(await activityOf(third)).toEqual([]);
  });

  it('disconnect and link at once leave no link to nothing', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { id } = await connect(admin);
      const [linked, disconnected] = await Promise.all([link(admin, id), disconnect(admin, id)]);
      expect(disconnected.status).toBe(200);
      expect([200, 404]).toContain(linked.status);
      expect(await linkedTo()).toEqual([]);
    }
  });
});

describe('hooks', () => {
  it('are asked for whatever a push at that host changes, and for nothing else', async () => {
    const { organisationId } = owner;
    const stranger = await createOwner(api);
    const make = async (of: string, provider: Provider | 'provider1', values: object = {}) => {
      const { id } = await createApplication(api, { organisationId: of });
      const on = { git_provider: provider, repository_path: 'ada/notes', ...values };
      await api.store.db.updateTable('applications').set(on).where('id', '=', id).execute();
      return id;
    };
    const onPush = await make(organisationId, 'provider2', { auto_deploy_on_push: true, auto_deploy_branches: ['*'] });
    const byDeletion = await make(organisationId, 'provider2', { auto_delete_stale_envs: true });
    await make(organisationId, 'provider2', { auto_delete_stale_envs: true, status: 'deleting' });
    const byEnvironment = await make(organisationId, 'provider2', { auto_deploy_on_push: false });
    await make(organisationId, 'provider2', { auto_deploy_on_push: false });
    await make(organisationId, 'provider3', { auto_deploy_on_push: true });
    await make(stranger.organisationId, 'provider2', { auto_deploy_on_push: true });
    const production = await productionOf(api, byEnvironment);
    const environments = api.store.db.updateTable('environments');
    await environments.set({ auto_deploy: false }).execute();
    await environments.set({ auto_deploy: true }).where('id', '=', production.id).execute();

    const { id } = await connect(admin);
    await link(admin, id);
    const { rows } = await api.store.pool.query<{ payload: { applicationId: string } }>(
      "select payload from jobs where kind = 'vcs.hooks'",
    );
    const asked = rows.map(({ payload }) => payload.applicationId);
    expect(asked.toSorted()).toEqual([onPush, byDeletion, byEnvironment].toSorted());
  });
});

const status = async (repo: string, of: TestOwner = owner) => {
  const query = new URLSearchParams({ organisationId: of.organisationId, owner: 'ada', repo });
  return api.call(`/api/provider2/connection-status?${query}`, { method: 'GET', token: of.token });
};

describe('connection-status', () => {
  const none = { connected: false, connectionId: null, accountLogin: null, repoAccess: false, trouble: null };

  it('tells whether something that is linked reaches the repository, and which', async () => {
    hosts.provider2.addRepository('ada/notes');
    hosts.provider2.addRepository('ada/other');
    expect((await status('notes')).body).toEqual({ configured: true, ...none });
    const blind = await connect(owner, { login: 'blind' });
    await link(owner, blind.id);
    const working = { configured: true, connected: true, connectionId: blind.id, accountLogin: 'blind', trouble: null };
    expect((await status('notes')).body).toEqual({ ...working, repoAccess: false });
    const seeing = await connect(admin, { login: 'ada', reaches: ['ada/notes'] });
    await link(admin, seeing.id);
    const reached = { connectionId: seeing.id, accountLogin: 'ada', repoAccess: true };
    expect((await status('notes')).body).toEqual({ ...working, ...reached });
    expect((await status('other')).body).toEqual({ ...working, repoAccess: false });
    // Nothing of it is anybody else's.
    expect((await status('notes', await createOwner(api))).body).toEqual({ configured: true, ...none });
  });

  it('says when the operator has not set up the host', async () => {
    hosts.provider2.isSetUp = false;
    expect((await status('notes')).body).toEqual({ configured: false, ...none });
  });

  it('does not count what was taken back, and says so among the connections', async () => {
    hosts.provider2.addRepository('ada/notes');
    const { id } = await connect(owner, { reaches: ['ada/notes'] });
    await link(owner, id);
    hosts.provider2.people.takeBack('ada');
    const trouble = expect.stringMatching(
      /^The connection of ada no longer works\. .*lilac provider2 connect/,
    ) as string;
    expect((await status('notes')).body).toEqual({ configured: true, ...none, trouble });
    expect(await linkedTo()).toMatchObject([{ id, trouble: expect.stringMatching(/Connect again/) }]);
    // Whoever connects again mends it, and it is linked as before.
    await connect(owner, { reaches: ['ada/notes'] });
    expect((await status('notes')).body).toMatchObject({ connected: true, connectionId: id, repoAccess: true });
    expect(await linkedTo()).toMatchObject([{ id, trouble: null }]);
  });

  it('asks the others where the host fails for one of them', async () => {
    hosts.provider2.addRepository('ada/notes');
    for (const [who, login, reaches] of [
      [owner, 'first', []],
      [admin, 'second', ['ada/notes']],
    ] as const) {
      const { id } = await connect(who, { login, reaches: [...reaches] });
      await link(who, id);
    }
    let calls = 0;
    hosts.provider2.before = (method) => {
      if (method === 'findRepository' && ++calls === 1) throw new HostUnavailable('Slow.', { retryAfterSeconds: 7 });
    };
    expect((await status('notes')).body).toMatchObject({ connected: true, accountLogin: 'second', repoAccess: true });
    calls = 0;
    // The first might have reached what the second does not.
    expect(await status('other')).toMatchObject({ status: 503, body: { code: 'SV002' } });
  });

  it('503 with the host named and when to ask again while it is down', async () => {
    const { id } = await connect(owner);
    await link(owner, id);
    hosts.provider2.isDown = true;
    const answer = await status('notes');
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '7' }, body: { code: 'SV002' } });
    expect(answer.body.message).toContain('provider2');
  });
});

describe('repositories and branches', () => {
  it('are those that the linked connections reach, with ids as the host has them', async () => {
    for (const provider of ['provider2', 'provider3'] as const) {
      const repository = hosts[provider].addRepository('group/inner/notes', {
        branches: [{ name: 'main', sha: 'a'.repeat(40) }],
      });
      const { id } = await connect(owner, { provider, reaches: ['group/inner/notes'] });
      await link(owner, id, provider);
      const listed = await api.call(pathOf('repositories', owner, provider), { method: 'GET', token: member.token });
      expect(listed.body).toEqual([
        {
          id: provider === 'provider2' ? Number(repository.id) : repository.id,
          name: 'notes',
          full_name: 'group/inner/notes',
          private: true,
          default_branch: 'main',
        },
      ]);
      const path = pathOf('repositories/group%2Finner/notes/branches', owner, provider);
      const branches = await api.call(path, { method: 'GET', token: member.token });
      expect(branches.body).toEqual([{ name: 'main', commit_sha: 'a'.repeat(40) }]);
      const absent = pathOf('repositories/group/nothing/branches', owner, provider);
      expect(await api.call(absent, { method: 'GET', token: member.token })).toMatchObject({
        status: 404,
        body: { code: 'NF001' },
      });
    }
  });

  it('go on when access has to be refreshed', async () => {
    hosts.provider2.addRepository('ada/notes');
    const { id } = await connect(owner, { reaches: ['ada/notes'] });
    await link(owner, id);
    api.clock.advance(2 * HOUR);
    const token = await api.accessTokens.issue(owner);
    const listed = await api.call(pathOf('repositories'), { method: 'GET', token });
    expect(listed.body).toMatchObject([{ full_name: 'ada/notes' }]);
  });
});

it('FF001 everywhere where the feature is off', async () => {
  await using without = await startApi({ config: { featureSwitches: { provider2: false } }, vcsHosts: hosts });
  const { token, organisationId } = await createOwner(without);
  const body = { connectionId: newId('vcc') };
  const below = `/api/provider2/organisation/${organisationId}`;
  const calls = [
    without.call(`/api/provider2/connection-status?organisationId=${organisationId}&owner=a&repo=b`, { token }),
    without.call('/api/provider2/connections', { token, method: 'GET' }),
    without.call('/api/provider2/disconnect', { token, method: 'POST', body }),
    without.call(`${below}/repositories`, { token, method: 'GET' }),
    without.call(`${below}/repositories/a/b/branches`, { token, method: 'GET' }),
    without.call(`${below}/connections`, { token, method: 'GET' }),
    without.call(`${below}/link-connection`, { token, method: 'POST', body }),
    without.call(`${below}/connections/${body.connectionId}`, { token, method: 'DELETE' }),
  ];
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ body: { code: 'FF001' } });
  const other = await without.call('/api/provider3/connections', { token, method: 'GET' });
  expect(other).toMatchObject({ status: 200, body: [] });
});

import { readdirSync, readFileSync } from 'node:fs';
import type { GitProvider } from '@lilac/contract/states';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestOwner } from '../../../testing/factories.ts';
import { openPrivateWorld, type PrivateWorld } from './testing/private-world.ts';

let world: PrivateWorld;
beforeAll(async () => {
  world = await openPrivateWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const create = (vcsRepoUrl: string, settings: object = {}, who?: TestOwner) =>
  world.call('/api/applications/create', { name: 'Private', vcsRepoUrl, isPrivate: true, ...settings }, who);
const detect = (owner: string, repo: string, who?: TestOwner) =>
  world.call('/api/applications/detect-framework', { owner, repo, branch: 'main' }, who);
const directories = (owner: string, repo: string, who?: TestOwner) =>
  world.call('/api/applications/list-repo-directories', { owner, repo, branch: 'main' }, who);

/** How often git asked for it. */
const askedFor = (fullName: string) =>
  world.git.requests.filter(({ url }) => url.startsWith(`/one/${fullName}.git/`)).length;

/** The command lines of everything that runs. */
function commandLines(): string {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.map((pid) => readIfThere(`/proc/${pid}/cmdline`)).join('\n');
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

describe('a private repository of the first host', () => {
  it('is created from, looked into, given environments and built, by the installation of its account', async () => {
    const url = await world.addPrivate('Acme/Shop');
    await world.linkInstallation('acme');
    const { status, body } = await create(url, { autoDeployOnPush: true });
    expect([status, body]).toEqual([201, expect.objectContaining({ status: 'pending' })]);
    expect(await world.ended(body.id)).toMatchObject({ status: 'healthy', error: null });
    expect(world.built.at(-1)).toEqual({ 'index.html': '<h1>Acme/Shop</h1>' });
    expect(await world.application(body.id)).toMatchObject({
      is_private: true,
      repository_path: 'acme/shop',
      git_provider: 'provider1',
      provider2_project_id: null,
      provider3_repo_uuid: null,
    });
    expect(await detect('Acme', 'Shop')).toMatchObject({ status: 200, body: { deploymentType: 'static' } });
    expect(await directories('Acme', 'Shop')).toMatchObject({ status: 200, body: { directories: [] } });
    const environment = { applicationId: body.id, name: 'next', vcsBranch: 'main' };
    expect(await world.call('/api/environments/create', environment)).toMatchObject({ status: 201 });
    const missing = await world.call('/api/environments/create', { ...environment, name: 'x', vcsBranch: 'none' });
    expect(missing.body).toMatchObject({ code: 'VA003', message: expect.stringContaining('It has main.') as string });
  });

  it('is private, whatever was said, when its host says so', async () => {
    const url = await world.addPrivate('acme/said-public');
    const { status, body } = await create(url, { isPrivate: false });
    expect(status).toBe(201);
    expect(await world.application(body.id)).toMatchObject({ is_private: true });
  });

  it('VA003 that says where to install, when nothing reaches it; nothing is written, and git is asked nothing', async () => {
    const url = await world.addPrivate('elsewhere/vault');
    const refused = await create(url);
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA003' } });
    expect(refused.body.message).toBe(
      'elsewhere/vault is private, and nothing that is linked to this organisation reaches it. Install the app at ' +
        'elsewhere with "lilac vcs install", or let its installation there have this repository.',
    );
    expect(askedFor('elsewhere/vault')).toBe(0);
    world.hosts.provider1.isSetUp = false;
    const unset = await create(url);
    world.hosts.provider1.isSetUp = true;
    expect(unset.body.message).toMatch(/the operator has to set up its host, with "lilac admin vcs setup"\.$/);
  });

  it('SV002 with the host’s own words while the host does not answer', async () => {
    const url = await world.addPrivate('acme/down');
    world.hosts.provider1.isDown = true;
    const refused = await create(url);
    world.hosts.provider1.isDown = false;
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '7' }, body: { code: 'SV002' } });
    expect(refused.body.message).toBe('provider1 does not answer. Try again soon.');
  });

  it('which an installation was not given is not reached by it', async () => {
    const url = await world.addPrivate('selective/hidden');
    await world.addPrivate('selective/shown');
    await world.linkInstallation('selective', world.owner, ['selective/shown']);
    expect((await create(url)).body).toMatchObject({ code: 'VA003' });
    expect(await detect('selective', 'shown')).toMatchObject({ status: 200 });
    expect((await detect('selective', 'hidden')).body).toMatchObject({ code: 'VA003' });
  });

  it('a public one needs nothing linked, and does not depend on the API of its host', async () => {
    await world.git.createRepository('one/acme/open', { 'index.html': 'open' });
    world.hosts.provider1.isDown = true;
    const created = await create(`${world.git.url}/one/acme/open`, { isPrivate: false });
    const looked = await detect('acme', 'open');
    const ended = await world.ended(created.body.id);
    world.hosts.provider1.isDown = false;
    expect([created.status, looked.status, ended.status]).toEqual([201, 200, 'healthy']);
    expect(await world.application(created.body.id)).toMatchObject({ is_private: false });
  });
});

describe('what another organisation has mirrored', () => {
  it('is read by nobody whose own credential does not reach it at this moment', async () => {
    const url = await world.addPrivate('acme/mirrored');
    await world.linkInstallation('acme');
    const { body } = await create(url);
    expect(await world.ended(body.id)).toMatchObject({ status: 'healthy' });
    expect(await detect('acme', 'mirrored')).toMatchObject({ status: 200 });
    const { stranger } = world;
    for (const isPrivate of [true, false]) {
      expect((await create(url, { isPrivate }, stranger)).body).toMatchObject({ code: 'VA003' });
    }
    expect((await detect('acme', 'mirrored', stranger)).body).toMatchObject({ code: 'VA003' });
    expect((await directories('acme', 'mirrored', stranger)).body).toMatchObject({ code: 'VA003' });
    const branches = { vcsRepoUrl: url };
    expect((await world.call('/api/applications/public-branches', branches)).body).toMatchObject({ code: 'VA003' });
    // One that was made while it was public, or however it came to be there.
    await world.git.createRepository('one/acme/lent', { 'index.html': 'lent' });
    const lent = await create(`${world.git.url}/one/acme/lent`, { isPrivate: false }, stranger);
    expect(await world.ended(lent.body.id)).toMatchObject({ status: 'healthy' });
    const builds = world.built.length;
    await world.api.store.db
      .updateTable('applications')
      .set({ vcs_repo_url: url })
      .where('id', '=', lent.body.id as string)
      .execute();
    expect(await world.deploy(lent.body, stranger)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('acme/mirrored was not found') as string,
    });
    expect(world.built).toHaveLength(builds);
  });
});

describe('a link that is removed', () => {
  it('ends what it opened: the next build fails with what to do, and the token it had is not used', async () => {
    const url = await world.addPrivate('acme/left');
    await world.linkInstallation('acme');
    const { body } = await create(url);
    expect(await world.ended(body.id)).toMatchObject({ status: 'healthy' });
    await world.unlink();
    const asked = askedFor('acme/left');
    expect(await world.deploy(body)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^acme\/left is private, and nothing .*"lilac vcs install"/) as string,
    });
    expect([asked > 0, askedFor('acme/left')]).toEqual([true, asked]);
    expect((await detect('acme', 'left')).body).toMatchObject({ code: 'VA003' });
    const environment = { applicationId: body.id, name: 'later', vcsBranch: 'main' };
    expect((await world.call('/api/environments/create', environment)).body).toMatchObject({ code: 'VA003' });
  });

  it('does no harm where the repository has become public', async () => {
    const url = await world.addPrivate('acme/opened');
    await world.linkInstallation('acme');
    const { body } = await create(url);
    await world.ended(body.id);
    await world.unlink();
    world.hosts.provider1.repositories.get('acme/opened')!.isPrivate = false;
    const { username, password } = world.hosts.provider1.credentialOf('acme/opened');
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    // Git lets everybody in who brings nothing.
    world.git.intercept((request) => {
      request.headers.authorization = request.headers.authorization ? 'refused' : authorization;
      return false;
    });
    expect(await world.deploy(body)).toMatchObject({ status: 'healthy' });
    world.git.intercept(() => false);
  });
});

describe('a credential', () => {
  it('is asked for when it is needed: what was good when the application was created may have expired', async () => {
    const url = await world.addPrivate('acme/expiring');
    await world.linkInstallation('acme');
    const { body } = await create(url);
    await world.ended(body.id);
    world.renewCredential('acme/expiring');
    expect(await world.deploy(body)).toMatchObject({ status: 'healthy' });
  });

  it('fails the build with the host’s own words when the host does not answer', async () => {
    const url = await world.addPrivate('acme/silent');
    const { body } = await create(url);
    await world.ended(body.id);
    world.hosts.provider1.isDown = true;
    const failed = await world.deploy(body);
    world.hosts.provider1.isDown = false;
    expect(failed).toMatchObject({ status: 'failed', error: 'provider1 does not answer. Try again soon.' });
    expect(await world.deploy(body)).toMatchObject({ status: 'healthy' });
  });

  it('is in no log, no message, no file and no command line', async () => {
    const url = await world.addPrivate('acme/quiet');
    const { password } = world.hosts.provider1.credentialOf('acme/quiet');
    const seen: string[] = [];
    world.git.intercept(() => {
      seen.push(commandLines());
      return false;
    });
    const created = await create(url);
    await world.ended(created.body.id);
    const looked = await detect('acme', 'quiet');
    // Git itself refuses it: what it then says goes into the log of the build and to the person.
    world.git.requireCredential('one/acme/quiet', { username: 'stand-in', password: 'another' });
    const refused = await world.deploy(created.body);
    const lost = await detect('acme', 'quiet');
    world.git.intercept(() => false);
    expect([created.status, looked.status, refused.status, lost.body.code]).toEqual([201, 200, 'failed', 'VA003']);
    const { rows } = await world.api.store.pool.query(
      'select to_jsonb(d) as d, (select jsonb_agg(l.lines) from deployment_log_chunks l where l.deployment_id = d.id) as l from deployments d',
    );
    expect(seen.join('\n')).toContain('ls-remote');
    const encoded = Buffer.from(`stand-in:${password}`).toString('base64');
    const written = [...world.log, created.text, looked.text, lost.text, JSON.stringify(rows), world.onDisk(), ...seen];
    expect(world.git.requests.some(({ authorization }) => authorization === `Basic ${encoded}`)).toBe(true);
    for (const secret of [password, encoded]) {
      expect(written.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});

const columnOf = (which: GitProvider) => (which === 'provider2' ? 'provider2_project_id' : 'provider3_repo_uuid');

describe.each([
  ['provider2', 'team/inner/shop', '{unused}'],
  ['provider3', 'team/shop', '{01234567-89ab-cdef-0123-456789abcdef}'],
] as const)('a private repository of %s', (provider: 'provider2' | 'provider3', fullName, otherUuid) => {
  const idOf = () => world.hosts[provider].repositories.get(fullName)!.id;
  const [owner, repo] = [fullName.slice(0, fullName.lastIndexOf('/')), fullName.slice(fullName.lastIndexOf('/') + 1)];
  const lookInto = () =>
    world.call('/api/applications/detect-framework', { owner, repo, branch: 'main', gitProvider: provider });

  it('is reached by whoever has connected; its address says which host, and the host its id', async () => {
    const url = await world.addPrivate(fullName, provider);
    expect((await create(url)).body.message).toContain(`"lilac ${provider} connect"`);
    await world.linkConnection(provider, 'nobody', []);
    expect((await create(url)).body.code).toBe('VA003');
    await world.linkConnection(provider, 'ada', [fullName]);
    const { status, body } = await create(url);
    expect([status, body]).toEqual([201, expect.objectContaining({ status: 'pending' })]);
    expect(await world.ended(body.id)).toMatchObject({ status: 'healthy' });
    expect(await world.application(body.id)).toMatchObject({
      git_provider: provider,
      is_private: true,
      repository_path: fullName,
      [columnOf(provider)]: idOf(),
    });
    expect(await lookInto()).toMatchObject({ status: 200 });
  });

  it('takes the id that the host says too, and refuses another by its name', async () => {
    const url = `${world.git.url}/${provider === 'provider2' ? 'two' : 'three'}/${fullName}`;
    const [field, right, wrong] =
      provider === 'provider2'
        ? ['provider2ProjectId', Number(idOf()), Number(idOf()) + 1]
        : ['provider3RepoUuid', idOf().toUpperCase(), otherUuid];
    expect(await create(url, { [field]: right })).toMatchObject({ status: 201 });
    const refused = await create(url, { [field]: wrong });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toMatch(new RegExp(`^${field} is .*Leave ${field} out`));
  });

  it('is read with refreshed access when the old has expired, and not at all when it was taken back', async () => {
    const url = `${world.git.url}/${provider === 'provider2' ? 'two' : 'three'}/${fullName}`;
    const { body } = await create(url);
    await world.ended(body.id);
    world.api.clock.advance(3 * 60 * 60 * 1000);
    world.renewCredential(fullName, provider);
    const token = await world.api.accessTokens.issue(world.owner);
    const again = { ...world.owner, token };
    expect(await world.deploy(body, again)).toMatchObject({ status: 'healthy' });
    world.owner.token = token;
    world.hosts[provider].people.takeBack('ada');
    expect(await world.deploy(body)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(`"lilac ${provider} connect"`) as string,
    });
  });

  it('a public one has its id from what everybody may see, and none when the host does not say', async () => {
    const folder = provider === 'provider2' ? 'two' : 'three';
    await world.git.createRepository(`${folder}/team/open`, { 'index.html': 'open' });
    const { id } = world.hosts[provider].addRepository('team/open', { isPrivate: false });
    const known = await create(`${world.git.url}/${folder}/team/open`, { isPrivate: false });
    expect(await world.application(known.body.id)).toMatchObject({ is_private: false, [columnOf(provider)]: id });
    world.hosts[provider].isDown = true;
    const unknown = await create(`${world.git.url}/${folder}/team/open`, { isPrivate: false });
    world.hosts[provider].isDown = false;
    expect(await world.application(unknown.body.id)).toMatchObject({ [columnOf(provider)]: null });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, createMember, productionOf, unique, type TestOwner } from '../../testing/factories.ts';
import { createLinkBench, type LinkBench } from './testing/link-bench.ts';

let bench: LinkBench;
beforeAll(async () => {
  bench = await createLinkBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

async function follows(gitProvider: 'provider1' | 'provider2', path: string) {
  const { organisationId } = bench.owner;
  const application = await createApplication(bench.api, { organisationId });
  await bench.api.store.db
    .updateTable('applications')
    .set({ git_provider: gitProvider, repository_path: path, auto_deploy_on_push: true, auto_deploy_branches: ['**'] })
    .where('id', '=', application.id)
    .execute();
  return application;
}

async function warningsOf(application: { id: string }): Promise<string[]> {
  const { id: environmentId } = await productionOf(bench.api, application.id);
  const { organisationId: targetOrganisationId, token } = bench.owner;
  const { body } = await bench.api.call('/api/environments/logs', {
    token,
    body: { targetOrganisationId, environmentId },
  });
  return (body as string[]).flatMap((line) => line.split(' WARN ')[1] ?? []);
}

/** Of a person of our organisation, with a browser. */
async function connect(who: TestOwner, login: string): Promise<void> {
  bench.hosts.provider2.people.add(login);
  const { state, cookie } = await bench.begin('provider2', who);
  const code = bench.hosts.provider2.people.codeFor(login);
  const answer = await bench.comeBack({ state, code }, { provider: 'provider2', cookie });
  expect(answer.status).toBe(200);
}

const removeMember = (who: TestOwner, userId: string) =>
  bench.api.call('/api/organisations/members/remove', {
    token: who.token,
    body: { targetOrganisationId: bench.owner.organisationId, userId },
  });

describe('what an organisation loses at a host', () => {
  it('with a member who is removed or leaves: it is told, and to what waits for pushes once nothing is left', async () => {
    const { organisationId } = bench.owner;
    const application = await follows('provider2', 'team/site');
    const [ada, bob] = [
      await createMember(bench.api, { organisationId, role: 'admin' }),
      await createMember(bench.api, { organisationId, role: 'admin' }),
    ];
    await connect(ada, 'ada');
    await connect(bob, 'bob');
    expect((await removeMember(bench.owner, ada.userId)).status).toBe(200);
    expect((await bench.activity()).slice(-2)).toEqual([
      `connection_unlinked ada by ${bench.owner.email}`,
      `member_removed ${ada.email} by ${bench.owner.email}`,
    ]);
    expect(await warningsOf(application)).toEqual([]);
    expect((await removeMember(bob, bob.userId)).status).toBe(200);
    expect((await bench.activity()).slice(-2)).toEqual([
      `connection_unlinked bob by ${bob.email}`,
      `member_left ${bob.email} by ${bob.email}`,
    ]);
    expect(await warningsOf(application)).toEqual([
      expect.stringMatching(/Pushes are no longer deployed.*at bob is not linked.*"lilac provider2 connect"\.$/),
    ]);
  });

  it('with an installation: those of its account are told, once', async () => {
    const [acme, zoo] = [unique('acme'), unique('zoo')];
    const [told, untold] = [await follows('provider1', `${acme}/site`), await follows('provider1', `${zoo}/site`)];
    const [first, second] = [await bench.link(acme), await bench.link(acme)];
    const unlink = (id: number) =>
      bench.api.call(`/api/vcs-app/organisation/${bench.owner.organisationId}/installations/${id}`, {
        method: 'DELETE',
        token: bench.owner.token,
      });
    expect((await unlink(first)).status).toBe(200);
    expect(await warningsOf(told)).toEqual([]);
    expect((await unlink(second)).status).toBe(200);
    expect(await warningsOf(told)).toEqual([expect.stringContaining(`at ${acme} is not linked any more`)]);
    expect(await warningsOf(untold)).toEqual([]);
  });
});

describe('who may not link', () => {
  it('is told so before they are led to a host', async () => {
    const { organisationId } = bench.owner;
    const member = await createMember(bench.api, { organisationId, role: 'user' });
    for (const path of ['/api/vcs-app/install', '/api/provider2/connect', '/api/provider3/connect']) {
      expect(await bench.get(`${path}?organisationId=${organisationId}`, member)).toMatchObject({
        status: 403,
        body: { code: 'CA005', message: 'This needs the role "admin"; yours is "user".' },
      });
    }
  });
});

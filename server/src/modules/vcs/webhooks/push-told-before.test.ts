import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pushSteps } from './testing/push-steps.ts';
import { openPushWorld, type PushWorld } from './testing/push-world.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await openPushWorld();
  await world.linkInstallation('acme');
});
afterAll(() => world[Symbol.asyncDispose]());

const { namesOf, rollBackTo, settle, shas } = pushSteps(() => world);

describe('what was told before', () => {
  it('changes nothing, under its own id or another, while it waits, is built or is live', async () => {
    const { fullName, application, production } = await settle();
    const events = [await world.commit(fullName, 'main'), await world.commit(fullName, 'feature/x')];
    for (const event of events) await world.tell([event], { id: `first ${event.branch}` });
    await world.settled();
    const before = [await shas(production), await namesOf(application), await world.activity()];
    expect(before[1]).toHaveLength(2);
    for (const status of ['pending', 'building', 'healthy'] as const) {
      if (status !== 'pending') await world.finish(status);
      for (const event of events) {
        const again = await world.post(world.hosts.provider1.delivery([event], { id: `first ${event.branch}` }));
        expect(again).toMatchObject({ status: 200, body: { message: expect.stringContaining('before') } });
        await world.tell([event]);
      }
      await world.settled();
      const [deployments, ...rest] = before;
      expect([await namesOf(application), await world.activity()]).toEqual(rest);
      expect((await shas(production)).map(([sha]) => sha)).toEqual((deployments as string[][]).map(([sha]) => sha));
    }
  });

  it('tries a commit again that has failed meanwhile', async () => {
    const { fullName, production } = await settle();
    const event = await world.push(fullName, 'main');
    await world.finish('failed');
    await world.tell([event]);
    await world.settled();
    expect((await shas(production)).slice(0, 2)).toEqual([
      [event.sha, 'pending'],
      [event.sha, 'failed'],
    ]);
  });

  it('is not tried again when it is the very same body under another id', async () => {
    const provider = 'provider3';
    const fullName = `acme/replayed-${provider}`;
    await world.addRepository(fullName, provider);
    await world.linkConnection(provider, `replayed-${provider}`, [fullName]);
    const [production] = await world.environmentsOf(await world.create(`Replayed ${provider}`, fullName, { provider }));
    await world.finish('healthy');
    const event = await world.commit(fullName, 'main', { provider });
    const request = world.hosts[provider].delivery([event]);
    expect((await world.post(request, provider)).body.message).toBe('Received.');
    await world.settled();
    await world.finish('failed');
    for (const id of ['one more', 'and another']) {
      const headers = { ...request.headers, 'x-stand-in-id': id };
      expect((await world.post({ ...request, headers }, provider)).body.message).toBe('Received.');
    }
    await world.settled();
    expect((await shas(production!)).map(([, status]) => status)).toEqual(['failed', 'healthy']);
    // Back to it from another commit, it is a push like any.
    const next = await world.push(fullName, 'main', { provider });
    await world.git.git(`three/${fullName}`, ['update-ref', 'refs/heads/main', event.sha!]);
    await world.post({ ...request, headers: { ...request.headers, 'x-stand-in-id': 'back' } }, provider);
    await world.settled();
    expect((await shas(production!)).map(([sha]) => sha).slice(0, 2)).toEqual([event.sha, next.sha]);
  });

  it.each([
    ['provider1', 'one'],
    ['provider2', 'two'],
    ['provider3', 'three'],
  ] as const)('on %s undoes no rollback, but a branch that was moved back is deployed', async (provider, folder) => {
    const fullName = `acme/back-${provider}`;
    await world.addRepository(fullName, provider);
    if (provider !== 'provider1') await world.linkConnection(provider, `back-${provider}`, [fullName]);
    const { id: applicationId } = await world.create(`Back ${provider}`, fullName, { provider });
    const [production] = await world.environmentsOf({ id: applicationId });
    const first = await world.push(fullName, 'main', { provider });
    await world.finish('healthy');
    let head = first;
    for (const [how, status] of [
      ['by a push', 'healthy'],
      ['by a push', 'failed'],
      ['by hand', 'failed'],
    ] as const) {
      if (how === 'by a push') head = await world.push(fullName, 'main', { provider });
      else await world.call('/api/applications/deploy', { applicationId });
      await world.finish(status);
      await rollBackTo(production!, first.sha!);
      const before = await shas(production!);
      await world.tell([head], { provider });
      await world.settled();
      expect(await shas(production!)).toEqual(before);
    }
    await world.git.git(`${folder}/${fullName}`, ['update-ref', 'refs/heads/main', first.sha!]);
    await world.tell([first], { provider });
    await world.settled();
    expect((await shas(production!))[0]).toEqual([first.sha, 'pending']);
  });

  it('is deployed after a rollback where the branch was elsewhere in between, though nothing was deployed there', async () => {
    const { fullName, production } = await settle();
    const first = await world.push(fullName, 'main');
    await world.finish('healthy');
    const second = await world.push(fullName, 'main');
    await world.finish('healthy');
    await rollBackTo(production, first.sha!);
    await world.push(fullName, 'main', { message: 'Words only [skip deploy]' });
    await world.git.git(`one/${fullName}`, ['update-ref', 'refs/heads/main', second.sha!]);
    await world.tell([second]);
    await world.settled();
    expect((await shas(production))[0]).toEqual([second.sha, 'pending']);
  });

  it.each(['provider2', 'provider3'] as const)(
    'on %s brings back no environment that a person has deleted; a new commit does, and a branch that was deleted',
    async (provider) => {
      const fullName = `acme/away-${provider}`;
      const branch = 'feature/away';
      await world.addRepository(fullName, provider);
      await world.linkConnection(provider, `away-${provider}`, [fullName]);
      const application = await world.create(`Away ${provider}`, fullName, { provider });
      const event = await world.push(fullName, branch, { provider });
      const remove = async () => {
        const made = (await world.environmentsOf(application)).find(({ vcs_branch }) => vcs_branch === branch)!;
        expect((await world.call('/api/environments/delete', { environmentId: made.id })).status).toBe(200);
        // Its name is given up when the last of it is gone.
        await world.api.store.db.deleteFrom('environments').where('id', '=', made.id).execute();
      };
      const hasOne = async () => (await namesOf(application)).some(([, of]) => of === branch);
      await remove();
      await world.tell([event], { provider });
      await world.settled();
      expect(await hasOne()).toBe(false);
      const next = await world.push(fullName, branch, { provider });
      expect(await hasOne()).toBe(true);
      await remove();
      await world.tell([await world.deleteBranch(fullName, branch, provider)], { provider });
      await world.settled();
      await world.git.git(`${provider === 'provider2' ? 'two' : 'three'}/${fullName}`, [
        'update-ref',
        `refs/heads/${branch}`,
        next.sha!,
      ]);
      await world.tell([next], { provider });
      await world.settled();
      expect(await hasOne()).toBe(true);
    },
  );

  it('is acted on in whatever order it comes: the head counts', async () => {
    const { fullName, application, production } = await settle();
    const [older, newer] = [await world.commit(fullName, 'main'), await world.commit(fullName, 'main')];
    const created = await world.commit(fullName, 'feature/late');
    const deleted = await world.deleteBranch(fullName, 'feature/late');
    for (const event of [newer, older, deleted, created]) await world.tell([event]);
    await world.settled();
    expect((await shas(production)).map(([sha]) => sha)).toEqual([newer.sha, null]);
    expect(await namesOf(application)).toEqual([['production', 'main']]);
  });
});

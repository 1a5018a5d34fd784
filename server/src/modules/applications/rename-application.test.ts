import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishRoute } from '../../routing/route-store.ts';
import { createOwner } from '../../testing/factories.ts';
import { openProjectWorld, type ProjectWorld } from './testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const rename = (applicationId: string, name: string) => world.call('/api/applications/rename', { applicationId, name });

const lookup = (subdomain: string, who = world.owner) =>
  world.api.call(`/api/applications/lookup/${subdomain}?targetOrganisationId=${who.organisationId}`, {
    method: 'GET',
    token: who.token,
  });

async function addEnvironment(applicationId: string, name: string): Promise<string> {
  const { status, body } = await world.call('/api/environments/create', { applicationId, name, vcsBranch: 'next' });
  expect(status).toBe(201);
  return body.id;
}

describe('POST /api/applications/rename', () => {
  it('changes the addresses of all its environments, and keeps what they serve', async () => {
    const application = await world.create('Before');
    const production = await world.productionOf(application);
    const preview = await addEnvironment(application.id, 'Preview');
    const target = { kind: 'static', artifactId: 'art_1', deploymentId: 'dep_1', revision: 0 } as const;
    const before = await world.api.store.db
      .transaction()
      .execute((tx) => publishRoute(tx, { environmentId: production.id, subdomain: 'before', target }));
    const { status, body } = await rename(application.id, ' After All ');
    expect(status).toBe(200);
    expect(body).toEqual({ id: application.id, name: 'After All', url: 'http://after-all.localhost:7080' });
    expect(await world.routeOf(production.id)).toEqual({ subdomain: 'after-all', target });
    expect(await world.routeOf(preview)).toEqual({ subdomain: 'after-all-preview', target: null });
    const { rows } = await world.api.store.pool.query<{ count: number }>(
      'select count(*)::int as count from routes where version > $1',
      [before],
    );
    expect(rows[0]!.count).toBe(2);
    const shown = await world.call('/api/environments', { applicationId: application.id });
    expect(shown.body.map(({ url }: { url: string }) => url)).toEqual([
      'http://after-all.localhost:7080',
      'http://after-all-preview.localhost:7080',
    ]);
    expect(await world.actionsOf(preview)).toEqual(['environment_created', 'application_renamed']);
  });

  it('frees the old address for others', async () => {
    const application = await world.create('Freed');
    await rename(application.id, 'Elsewhere');
    expect((await world.create('Freed')).slug).toBe('freed');
  });

  it('keeps the address for the same name, and for one that would have the same', async () => {
    const stranger = await createOwner(world.api);
    await world.create('Shared', {}, stranger);
    const { id, slug } = await world.create('Shared');
    expect(slug).toMatch(/^shared-/);
    for (const name of ['Shared', 'SHARED!']) {
      const { body } = await rename(id, name);
      expect(body).toEqual({ id, name, url: `http://${slug}.localhost:7080` });
    }
  });

  it('gives a suffix where the name is taken, even when its own environment has it', async () => {
    const { id } = await world.create('Own');
    await addEnvironment(id, 'Two');
    const { body } = await rename(id, 'Own Two');
    expect(body.url).toMatch(/^http:\/\/own-two-[a-z2-9]{6}\.localhost:7080$/);
  });

  it('lets an environment have what production gives up', async () => {
    const { id } = await world.create('Give-up');
    const up = await addEnvironment(id, 'up');
    expect((await rename(id, 'Give')).body.url).toBe('http://give.localhost:7080');
    expect((await world.routeOf(up))?.subdomain).toBe('give-up');
  });

  it('gives each its own when several want one name, and all their addresses agree', async () => {
    const applications = await Promise.all(['R1', 'R2', 'R3', 'R4'].map((name) => world.create(name)));
    const answers = await Promise.all([
      ...applications.map(({ id }) => rename(id, 'Contested')),
      world.call('/api/applications/create', { name: 'Contested', vcsRepoUrl: world.repositoryUrl }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.url as string)).size).toBe(5);
    for (const { body } of answers) {
      const production = await world.productionOf(body);
      expect(body.url).toBe(`http://${production.subdomain}.localhost:7080`);
      expect((await world.routeOf(production.id))?.subdomain).toBe(production.subdomain);
    }
  });
});

describe('GET /api/applications/lookup/:subdomain', () => {
  it('finds the application and the environment that answer there', async () => {
    const { id } = await world.create('Looked up');
    const preview = await addEnvironment(id, 'preview');
    const url = 'http://looked-up-preview.localhost:7080';
    expect(await lookup('Looked-Up-Preview')).toMatchObject({
      status: 200,
      body: { id, name: 'Looked up', environment_id: preview, url },
    });
  });

  it("404 for another organisation's and for nobody's, in the same words", async () => {
    await world.create('Hidden', {}, await createOwner(world.api));
    const answers = [await lookup('hidden'), await lookup('nobody-has-this')];
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(answers[0]!.body).toEqual(answers[1]!.body);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgesBehind, findRoute, forgetEdge, publishRoute, reportEdge } from '../../routing/route-store.ts';
import { openProjectWorld, type ProjectWorld } from '../applications/testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const protect = (environmentId: string, protection: object) =>
  world.call('/api/environments/password', { environmentId, ...protection });

const productionOf = async (name: string) => (await world.productionOf(await world.create(name))).id;
const routeOf = async (environmentId: string) => (await findRoute(world.api.store.db, environmentId))!;
const newActionsOf = async (id: string) => (await world.actionsOf(id)).slice(1);

describe('POST /api/environments/password', () => {
  it('200: the edges are given a key, what they serve stays, and the password is nowhere to be read', async () => {
    const id = await productionOf('Secret');
    const { db } = world.api.store;
    const target = { kind: 'static', artifactId: 'art_1', deploymentId: 'dep_1', revision: 0 } as const;
    await db.transaction().execute((tx) => publishRoute(tx, { environmentId: id, subdomain: 'secret', target }));
    const answer = await protect(id, { enabled: true, password: 'open sesame' });
    expect(answer).toMatchObject({ status: 200, body: { id, password_protected: true } });
    expect(Object.keys(answer.body)).toEqual(['id', 'password_protected']);
    const { lock, ...route } = await routeOf(id);
    expect(route).toMatchObject({ subdomain: 'secret', target });
    expect(Buffer.from(lock!.key, 'base64url')).toHaveLength(32);
    const row = await db.selectFrom('environments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row.password_hash).toMatch(/^\$argon2id\$/);
    const shown = await world.call('/api/environments/get', { environmentId: id });
    expect(shown.body.password_protected).toBe(true);
    expect(shown.text).not.toMatch(/argon2|sesame/);
    expect(await newActionsOf(id)).toEqual(['password_set']);
  });

  it('a new password is a new key, even where it is the same; opening removes both', async () => {
    const id = await productionOf('Changed');
    const keys = new Set<string>();
    for (const password of ['one', 'two', 'two']) {
      await protect(id, { enabled: true, password });
      keys.add((await routeOf(id)).lock!.key);
    }
    expect(keys.size).toBe(3);
    expect((await protect(id, { enabled: false })).body).toEqual({ id, password_protected: false });
    expect((await routeOf(id)).lock).toBeNull();
    const { version } = await routeOf(id);
    expect((await protect(id, { enabled: false })).status).toBe(200);
    expect((await routeOf(id)).version).toBe(version);
    expect(await newActionsOf(id)).toEqual(['password_set', 'password_set', 'password_set', 'password_removed']);
  });

  it('keeps the address closed when the environment is renamed', async () => {
    const { id: applicationId } = await world.create('Moves');
    const created = await world.call('/api/environments/create', { applicationId, name: 'a', vcsBranch: 'next' });
    await protect(created.body.id, { enabled: true, password: 'x' });
    const { lock } = await routeOf(created.body.id);
    await world.call('/api/environments/update', { environmentId: created.body.id, name: 'b' });
    expect(await routeOf(created.body.id)).toMatchObject({ subdomain: 'moves-b', lock });
  });

  it('answers when every living edge has closed the address, and not before', async () => {
    const id = await productionOf('Closed');
    const { db } = world.api.store;
    const { version: before } = await routeOf(id);
    await reportEdge(db, 'slow', before);
    let hasAnswered = false;
    const answer = protect(id, { enabled: true, password: 'x' }).finally(() => (hasAnswered = true));
    await expect.poll(async () => (await routeOf(id)).lock).not.toBeNull();
    const { version } = await routeOf(id);
    for (let look = 0; look < 10; look++) expect(await edgesBehind(db, version)).toEqual(['slow']);
    expect(hasAnswered).toBe(false);
    await reportEdge(db, 'slow', version);
    expect((await answer).status).toBe(200);
    await forgetEdge(db, 'slow');
  });

  it('waits for an edge that could not report, since the store was away', async () => {
    const id = await productionOf('Outage');
    const { db, pool } = world.api.store;
    const { version: before } = await routeOf(id);
    await reportEdge(db, 'silent', before);
    await pool.query(`update edges set seen_at = now() - interval '1 minute' where name = 'silent'`);
    let hasAnswered = false;
    const answer = protect(id, { enabled: true, password: 'x' }).finally(() => (hasAnswered = true));
    await expect.poll(async () => (await routeOf(id)).lock).not.toBeNull();
    const { version } = await routeOf(id);
    for (let look = 0; look < 50; look++) expect(await edgesBehind(db, version)).toEqual([]);
    expect(hasAnswered).toBe(false);
    await reportEdge(db, 'silent', version);
    expect((await answer).status).toBe(200);
    await forgetEdge(db, 'silent');
  });

  it.each([
    [{ enabled: true }, 'password'],
    [{ enabled: true, password: '' }, 'password'],
    [{ enabled: 'true', password: 'x' }, 'enabled'],
    [{ enabled: 'false' }, 'enabled'],
    [{ password: 'x' }, 'enabled'],
  ])('400 VA001 for %o', async (protection, field) => {
    const id = await productionOf('Strict');
    const refused = await protect(id, protection);
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toContain(field);
    expect((await routeOf(id)).lock).toBeNull();
  });

  it('409 while it is being deleted', async () => {
    const application = await world.create('Leaving');
    const { id } = await world.productionOf(application);
    await world.call('/api/applications/delete', { applicationId: application.id });
    expect(await protect(id, { enabled: true, password: 'x' })).toMatchObject({ status: 409, body: { code: 'CF001' } });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseRow } from '../../../db/schema.ts';
import { createApplication, createOwner, productionOf } from '../../../testing/factories.ts';
import { createDatabasesBench, type DatabasesBench } from '../testing/databases-bench.ts';

let bench: DatabasesBench;
let database: DatabaseRow;
let environmentId: string;
beforeAll(async () => {
  bench = await createDatabasesBench();
  database = await bench.create();
  environmentId = await newEnvironment();
});
afterAll(() => bench[Symbol.asyncDispose]());

async function newEnvironment(organisationId = bench.owner.organisationId): Promise<string> {
  const { id } = await createApplication(bench.api, { organisationId });
  return (await productionOf(bench.api, id)).id;
}

const connect = (body: object = {}) =>
  bench.call('/api/databases/connect', { databaseId: database.id, environmentId, ...body });
const disconnect = (body: object = {}) =>
  bench.call('/api/databases/disconnect', { databaseId: database.id, environmentId, ...body });
const links = async () => (await bench.call('/api/databases/links', { databaseId: database.id })).body as object[];
const setVariables = (id: string, environmentVars: object) =>
  bench.call('/api/environments/update', { environmentId: id, environmentVars });

describe('POST /api/databases/connect', () => {
  it('connects it as DATABASE_URL, shows it, and the same again changes nothing', async () => {
    const answer = await connect();
    expect(answer).toMatchObject({
      status: 200,
      body: { database_id: database.id, environment_id: environmentId, variable: 'DATABASE_URL' },
    });
    const told = await bench.actions();
    expect(told.at(-1)).toBe('database_connected');
    expect((await connect()).body).toEqual(answer.body);
    expect(await bench.actions()).toEqual(told);
    expect(await links()).toEqual([answer.body]);
  });

  it('409 for another database under the same name, which another name allows', async () => {
    await connect();
    const { id: databaseId } = await bench.create();
    const answer = await connect({ databaseId });
    expect(answer).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect(answer.body.message).toContain('another database');
    expect((await connect({ databaseId, variable: 'REPORTS_URL' })).status).toBe(200);
  });

  it('409 where the environment has a variable of that name, and the other way round', async () => {
    const own = await newEnvironment();
    await setVariables(own, { DATABASE_URL: 'mine' });
    const answer = await connect({ environmentId: own });
    expect(answer).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect(answer.body.message).toContain('Remove it first');
    await setVariables(own, {});
    expect((await connect({ environmentId: own })).status).toBe(200);
    const refused = await setVariables(own, { OTHER: 'x', DATABASE_URL: 'mine' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect(refused.body.message).toContain('Disconnect the database first');
    expect((await setVariables(own, { OTHER: 'x' })).status).toBe(200);
  });

  it('the environment shows whose addresses it is given, by the variable', async () => {
    const own = await newEnvironment();
    const second = await bench.create();
    const first = await connect({ environmentId: own });
    await connect({ environmentId: own, databaseId: second.id, variable: 'CACHE_URL' });
    const { body } = await bench.call('/api/environments/databases', { environmentId: own });
    const { name, database_type, status } = database;
    expect(body).toEqual([
      expect.objectContaining({ variable: 'CACHE_URL', database_id: second.id, name: second.name }),
      { ...first.body, name, database_type, status },
    ]);
    expect((await bench.call('/api/environments/get', { environmentId: own })).body.environment_vars).toEqual({});
  });

  it('404 for an environment of another organisation, also while it is deleted', async () => {
    const other = await createOwner(bench.api);
    const theirs = await newEnvironment(other.organisationId);
    const refused = await connect({ environmentId: theirs });
    expect(refused).toMatchObject({ status: 404, body: { code: 'NF001' } });
    const deleting = { status: 'deleting' } as const;
    await bench.api.store.db.updateTable('environments').set(deleting).where('id', '=', theirs).execute();
    expect((await connect({ environmentId: theirs })).body).toEqual(refused.body);
    expect((await connect({ environmentId: 'env_nowhere' })).body).toEqual(refused.body);
  });

  it.each(['PORT', 'PATH', 'LILAC_URL'])('400 for %s, which is the platform’s', async (variable) => {
    const answer = await connect({ variable });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(answer.body.message).toContain('Choose another name');
  });

  it.each(['1ST', 'A B', '', 'A=B'])('400 for %j, which is no name', async (variable) => {
    expect((await connect({ variable })).status).toBe(400);
  });

  it('409 for a database or an environment that is being deleted', async () => {
    const doomed = await newEnvironment();
    const deleting = { status: 'deleting' } as const;
    await bench.api.store.db.updateTable('environments').set(deleting).where('id', '=', doomed).execute();
    expect((await connect({ environmentId: doomed })).body.message).toBe('This environment is being deleted.');
    const { id: databaseId } = await bench.create();
    await bench.call('/api/databases/delete', { databaseId });
    const answer = await connect({ databaseId, variable: 'SECOND_URL' });
    expect(answer).toMatchObject({ status: 409, body: { message: 'This database is being deleted.' } });
  });
});

describe('POST /api/databases/disconnect', () => {
  it('takes the connection away, and 404 when there is none', async () => {
    await connect({ variable: 'OLD_URL' });
    expect((await disconnect({ variable: 'OLD_URL' })).status).toBe(200);
    expect((await bench.actions()).at(-1)).toBe('database_disconnected');
    expect(await links()).not.toContainEqual(expect.objectContaining({ variable: 'OLD_URL' }));
    expect(await disconnect({ variable: 'OLD_URL' })).toMatchObject({ status: 404, body: { code: 'NF001' } });
    const { id: databaseId } = await bench.create();
    expect((await disconnect({ databaseId })).status).toBe(404);
  });

  it('goes with the environment', async () => {
    const gone = await newEnvironment();
    await connect({ environmentId: gone });
    await bench.api.store.db.deleteFrom('environments').where('id', '=', gone).execute();
    expect(await links()).not.toContainEqual(expect.objectContaining({ environment_id: gone }));
  });
});

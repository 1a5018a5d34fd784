import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathsOf } from '../../config.ts';
import { writeInstanceNetwork } from '../../runtime/instance-network-file.ts';
import { eventually } from '../../testing/eventually.ts';
import { createOwner, createProject } from '../../testing/factories.ts';
import { openPassword } from './password.ts';
import { serversOf } from './server-store.ts';
import { createDatabasesBench, type DatabasesBench } from './testing/databases-bench.ts';

let bench: DatabasesBench;
beforeAll(async () => {
  bench = await createDatabasesBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const create = (body: object) => bench.call('/api/databases/create', { name: 'Shop', ...body });
const rowsOf = async () => (await bench.api.store.db.selectFrom('databases').select('id').execute()).length;

describe('POST /api/databases/create', () => {
  it('201 with the database, which is being set up, and everything that was left out is chosen', async () => {
    const answer = await create({ name: ' Shop ' });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^db_/) as string,
        name: 'Shop',
        database_type: 'postgresql',
        tier: 'db-f1-micro',
        status: 'provisioning',
      },
    });
    const row = await bench.read(answer.body.id as string);
    expect(row).toMatchObject({
      version: '18',
      region: 'local',
      storage_gb: 10,
      ha_enabled: false,
      public_ip_enabled: true,
      authorized_networks: [],
      database_name: expect.stringMatching(/^db_[a-z]{8}$/) as string,
      admin_user: expect.stringMatching(/^user_[a-z]{8}$/) as string,
      project_id: null,
      step: 'queued',
    });
    expect(row.admin_password).not.toContain(openPassword(bench.api.keyring, row));
    expect(await serversOf(bench.api.store.db, row.id)).toMatchObject([
      { role: 'primary', port: row.port, is_made: false },
    ]);
    expect((await bench.actions()).at(-1)).toBe('database_created');
  });

  it('takes all that may be said', async () => {
    const { id: projectId } = await createProject(bench.api, bench.owner);
    const row = await bench.create({
      databaseType: 'mysql',
      tier: 'db-custom-1-1024',
      region: 'local',
      storageGb: 25,
      haEnabled: true,
      publicIpEnabled: false,
      authorizedNetworks: ['203.0.113.7/24', '203.0.113.0/24', '2001:DB8::/32'],
      databaseName: 'shop',
      adminUser: 'ada',
      adminPassword: 'correct-horse-battery',
      projectId,
    });
    expect(row).toMatchObject({
      database_type: 'mysql',
      tier: 'db-custom-1-1024',
      storage_gb: 25,
      ha_enabled: true,
      public_ip_enabled: false,
      authorized_networks: ['203.0.113.0/24', '2001:db8::/32'],
      database_name: 'shop',
      admin_user: 'ada',
      project_id: projectId,
    });
    expect(openPassword(bench.api.keyring, row)).toBe('correct-horse-battery');
  });

  it('gives each a port of its own, also to many at once', async () => {
    const rows = await Promise.all(Array.from({ length: 8 }, () => bench.create()));
    expect(new Set(rows.map(({ port }) => port)).size).toBe(8);
  });

  it.each([
    [{ adminPassword: 'short' }, 'adminPassword'],
    [{ adminPassword: 'twelve or more' }, 'no spaces, quotes or backslashes'],
    [{ adminPassword: "twelve'or-more" }, 'adminPassword'],
    [{ adminPassword: 'twelve"or-more' }, 'adminPassword'],
    [{ adminPassword: String.raw`twelve\or-more` }, 'adminPassword'],
    [{ tier: 'db-large' }, 'db-custom-<vCPU>-<memoryMB>'],
    [{ tier: 'db-custom-1-1000' }, 'steps of 256 MB'],
    [{ tier: 'db-custom-96-1048576' }, 'This machine has'],
    [{ storageGb: 65_536 }, 'This machine can give at most'],
    [{ region: 'eu-west' }, 'region must be one of local'],
    [{ storageGb: 0 }, 'storageGb'],
    [{ storageGb: 1.5 }, 'storageGb'],
    [{ authorizedNetworks: ['203.0.113.0/33'] }, '203.0.113.0/33'],
    [{ authorizedNetworks: ['everywhere'] }, 'everywhere'],
    [{ databaseType: 'mysql', authorizedNetworks: ['2001:db8::/33'] }, '2001:db8::/33'],
    [{ databaseName: 'postgres' }, 'databaseName'],
    [{ databaseName: 'pg_shop' }, 'databaseName'],
    [{ databaseName: 'Shop' }, 'databaseName does not have the right form: lower-case letters'],
    [{ adminUser: 'root' }, 'adminUser'],
    [{ adminUser: 'lilac_admin' }, 'adminUser'],
    [{ databaseType: 'oracle' }, 'databaseType'],
    [{ name: '' }, 'name'],
  ])('400 for %j, and nothing is made', async (body, words) => {
    const before = await rowsOf();
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(answer.body.message).toContain(words);
    expect(await rowsOf()).toBe(before);
  });

  it('404 for a folder of another organisation', async () => {
    const other = await createOwner(bench.api);
    const { id: projectId } = await createProject(bench.api, other);
    expect(await create({ projectId })).toMatchObject({ status: 404, body: { code: 'NF001' } });
  });

  it('409 with the words of the engine where this machine lacks it', async () => {
    await using lacking = await createDatabasesBench();
    lacking.engines.mysql.missing = 'MariaDB is not installed. apt-get install mariadb-server';
    const answer = await lacking.call('/api/databases/create', { name: 'Shop', databaseType: 'mysql' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect(answer.body.message).toContain('apt-get install mariadb-server');
    expect(await lacking.create()).toMatchObject({ database_type: 'postgresql' });
  });
});

describe('what is told of a database', () => {
  it('is never its credentials', async () => {
    const row = await bench.create({ adminPassword: 'correct-horse-battery', adminUser: 'ada' });
    const { status, body, text } = await bench.call('/api/databases/get', { databaseId: row.id });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: row.id,
      name: 'Shop',
      database_type: 'postgresql',
      version: '18',
      tier: 'db-f1-micro',
      region: 'local',
      storage_gb: 10,
      ha_enabled: false,
      public_ip_enabled: true,
      authorized_networks: [],
      project_id: null,
      status: 'provisioning',
      error: null,
      created_at: row.created_at.toISOString(),
    });
    expect(text).not.toContain('ada');
    const list = await bench.call('/api/databases', { limit: 1 });
    expect(list.body).toMatchObject({ items: [{ id: row.id }], currentPage: 1 });
    expect(list.text).not.toContain('correct-horse');
    expect((await bench.call('/api/databases/status', { databaseId: row.id })).body).toEqual({
      id: row.id,
      status: 'provisioning',
      error: null,
      last_import: null,
    });
  });

  it('is paged, filtered and sorted', async () => {
    await using fresh = await createDatabasesBench();
    for (const name of ['beta', 'Alpha', 'gamma']) await fresh.create({ name });
    const names = async (body: object) =>
      (await fresh.call('/api/databases', body)).body.items.map((item: { name: string }) => item.name);
    expect(await names({})).toEqual(['gamma', 'Alpha', 'beta']);
    expect(await names({ sortColumn: 'name', sortOrder: 'asc' })).toEqual(['Alpha', 'beta', 'gamma']);
    expect(await names({ filter: 'ALPH' })).toEqual(['Alpha']);
    expect(await names({ limit: 1, page: 2 })).toEqual(['Alpha']);
  });

  it('is its address, where clients outside reach it, or for a private one where its applications do', async () => {
    const stringOf = async (databaseId: string) =>
      (await bench.call('/api/databases/connection-string', { databaseId })).body.connectionString as string;
    const named = { databaseName: 'shop', adminUser: 'ada', adminPassword: 'p/ssword-with@signs' };
    const open = await bench.create(named);
    expect(await stringOf(open.id)).toBe(
      `postgresql://ada:p%2Fssword-with%40signs@localhost:${open.port}/shop?sslmode=require`,
    );
    mkdirSync(pathsOf(bench.api.config).run, { recursive: true });
    writeInstanceNetwork(bench.api.config, { range: '10.213.0.0/22', hostAddress: '10.213.0.1' });
    const closed = await bench.create({ ...named, publicIpEnabled: false, databaseType: 'mysql' });
    expect(await stringOf(closed.id)).toBe(`mysql://ada:p%2Fssword-with%40signs@10.213.0.1:${closed.port}/shop`);
  });
});

describe('POST /api/databases/metrics', () => {
  it('tells what was measured, averaged over the steps of the range', async () => {
    const { id } = await bench.create();
    const now = bench.api.clock.now().getTime();
    const at = (minutesAgo: number) => new Date(Math.floor(now / 60_000) * 60_000 - minutesAgo * 60_000);
    const minute = { database_id: id, memory_bytes: 1000, storage_bytes: 50, connections: 2 };
    await bench.api.store.db
      .insertInto('database_minutes')
      .values([
        { ...minute, minute: at(0), cpu: 10 },
        { ...minute, minute: at(3), cpu: null, connections: 5 },
        { ...minute, minute: at(61), cpu: 30 },
      ])
      .execute();
    const metricsOf = async (timeRange?: string) => {
      const { status, body } = await bench.call('/api/databases/metrics', { databaseId: id, timeRange });
      expect([status, body.databaseId]).toEqual([200, id]);
      return body.metrics as Record<string, { t: string; v: number }[]>;
    };
    const hour = await metricsOf();
    expect(Object.keys(hour)).toEqual(['cpu', 'memory', 'storage', 'connections']);
    expect(hour.cpu).toEqual([{ t: at(0).toISOString(), v: 10 }]);
    expect(hour.connections!.map(({ v }) => v)).toEqual([5, 2]);
    expect(hour.memory!.map(({ v }) => v)).toEqual([1000, 1000]);
    const cpus = (await metricsOf('7d')).cpu!.map(({ v }) => v);
    expect(cpus.reduce((sum, v) => sum + v, 0) / cpus.length).toBe(20);
    expect((await bench.call('/api/databases/metrics', { databaseId: id, timeRange: '2h' })).status).toBe(400);
  });
});

describe('POST /api/databases/move', () => {
  it('files it under a folder and back, and leaves no trace of what was so already', async () => {
    const { id: databaseId } = await bench.create();
    const { id: folder } = await createProject(bench.api, bench.owner);
    const move = (targetFolderId: string | null) => bench.call('/api/databases/move', { databaseId, targetFolderId });
    expect((await move(folder)).body).toEqual({ id: databaseId, project_id: folder });
    expect((await bench.read(databaseId)).project_id).toBe(folder);
    const told = (await bench.actions()).length;
    await move(folder);
    expect((await bench.actions()).length).toBe(told);
    expect((await move(null)).body).toEqual({ id: databaseId, project_id: null });
    expect((await move('fld_nowhere')).status).toBe(404);
  });

  it('lies at the root when its folder is deleted', async () => {
    const { id: projectId } = await createProject(bench.api, bench.owner);
    const { id } = await bench.create({ projectId });
    expect((await bench.call('/api/projects/delete', { projectId })).status).toBe(200);
    expect((await bench.read(id)).project_id).toBeNull();
  });
});

describe('a database that is being deleted', () => {
  it('refuses everything but being looked at, and keeps its organisation', async () => {
    await using fresh = await createDatabasesBench();
    const { id: databaseId } = await fresh.create();
    const { organisationId } = fresh.owner;
    const remove = () =>
      fresh.api.call('/api/organisations/delete', {
        token: fresh.owner.token,
        body: { targetOrganisationId: organisationId },
      });
    expect((await remove()).body.message).toContain('databases');
    expect((await fresh.call('/api/databases/delete', { databaseId })).status).toBe(200);
    expect((await fresh.call('/api/databases/delete', { databaseId })).status).toBe(200);
    expect(await fresh.actions()).toEqual(['organisation_created', 'database_created', 'database_deleted']);
    expect((await fresh.call('/api/databases/status', { databaseId })).body.status).toBe('deleting');
    for (const [path, body] of [
      ['connection-string', {}],
      ['update', { name: 'Other' }],
      ['rotate-password', {}],
      ['provision', {}],
      ['move', { targetFolderId: null }],
    ] as const) {
      const answer = await fresh.call(`/api/databases/${path}`, { databaseId, ...body });
      expect([path, answer.status, answer.body.message]).toEqual([path, 409, 'This database is being deleted.']);
    }
    expect((await remove()).status).toBe(409);
    await fresh.work();
    await eventually('it is gone', async () => (await fresh.call('/api/databases')).body.totalItems === 0);
    expect((await remove()).status).toBe(200);
  });
});

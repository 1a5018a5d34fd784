import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabaseWorld } from './database-world.ts';
import { leftOf, mainProcesses } from './database-servers.ts';
import { ask, connectTo, databaseTypes, stockClient, type Databases } from './databases.ts';
import type { Deployer } from './deploying.ts';
import { startPlatform, until, type Platform } from './platform.ts';

/** Databases on the whole platform, with the clients that people use. */
let platform: Platform;
let deployer: Deployer;
let databases: Databases;
const scratch = mkdtempSync(join(tmpdir(), 'lilac-e2e-databases-'));

beforeAll(async () => {
  ({ platform, deployer, databases } = await openDatabaseWorld());
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

const addressed = (databaseId: string) => ({ targetOrganisationId: deployer.targetOrganisationId, databaseId });

async function dumpTo(databaseId: string, name: string): Promise<string> {
  const { downloadUrl, size } = await deployer.client.call('databases.dump', { body: addressed(databaseId) });
  const answer = await fetch(downloadUrl);
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.length).toBe(size);
  const path = join(scratch, `${name}.sql.gz`);
  writeFileSync(path, bytes);
  return path;
}

describe.each(databaseTypes)('a %s database', (databaseType) => {
  let id: string;
  let url: string;

  it('is created, tells how it goes, and takes a stock client', async () => {
    id = await databases.create(`Shop ${databaseType}`, { databaseType });
    const told: { event?: string; percent: number }[] = [];
    const params = addressed(id);
    for await (const { event, data } of deployer.client.stream('databases.stream', { params })) {
      told.push({ event, percent: data.percent });
      if (event !== 'status') break;
    }
    expect(told.at(-1)).toEqual({ event: 'done', percent: 100 });
    expect((await databases.settled(id)).status).toBe('healthy');
    url = await databases.url(id);
    expect(await ask(url, 'create table notes (id int primary key, text varchar(200))')).toBe('');
    expect(await ask(url, "insert into notes values (1, 'Grüße 🌷')")).toBe('');
    expect(await ask(url, 'select text from notes')).toBe('Grüße 🌷');
  });

  it('ends old sessions and refuses the old password as soon as it is rotated', async () => {
    const session = await connectTo(url);
    const renewed = await databases.rotate(id);
    await expect(session.query('select 1')).rejects.toThrow(/./);
    await session.close().catch(() => {});
    expect((await stockClient(url, 'select 1')).exitCode).not.toBe(0);
    expect(await ask(renewed, 'select count(*) from notes')).toBe('1');
    url = renewed;
  });

  it('is read and changed through the explorer, read-only unless it is said otherwise', async () => {
    const { client } = deployer;
    const query = (statement: string, readOnly = true) =>
      client.call('databases.explorer.query', { body: { ...addressed(id), statement, readOnly } });
    expect((await query('select id, text from notes')).rows).toEqual([[1, 'Grüße 🌷']]);
    await expect(query("insert into notes values (2, 'no')")).rejects.toMatchObject({ code: 'DB001' });
    await query("insert into notes values (2, 'yes')", false);
    const { tables } = await client.call('databases.explorer.schema', { body: addressed(id) });
    expect(tables.map(({ name }) => name)).toContain('notes');
    const page = await client.call('databases.explorer.rows', { body: { ...addressed(id), table: 'notes' } });
    expect(page.totalItems).toBe(2);
  });

  it('is dumped and imported into another, equal', async () => {
    const path = await dumpTo(id, databaseType);
    const copy = await databases.create(`Copy ${databaseType}`, { databaseType });
    await databases.settled(copy);
    await databases.importFile(copy, path);
    expect(await ask(await databases.url(copy), 'select id, text from notes order by id')).toBe(
      await ask(url, 'select id, text from notes order by id'),
    );
    await databases.remove(copy);
  });

  it('is backed up, and restored to a new one', async () => {
    const { client } = deployer;
    const { id: backupId } = await client.call('databases.backup', { body: addressed(id) });
    const backups = () => client.call('databases.backups', { body: addressed(id) });
    await until('the backup is ready', async () => (await backups()).some((each) => each.status === 'ready'));
    const body = { ...addressed(id), backupId, name: `Restored ${databaseType}` };
    const restored = await client.call('databases.restore', { body });
    await databases.settled(restored.id);
    expect(await ask(await databases.url(restored.id), 'select count(*) from notes')).toBe('2');
    await databases.remove(restored.id);
  });

  it('grows without a restart, and never shrinks', async () => {
    const session = await connectTo(url);
    const update = (storageGb: number) =>
      deployer.client.call('databases.update', { body: { ...addressed(id), storageGb } });
    await update(2);
    expect((await databases.settled(id)).storage_gb).toBe(2);
    expect(await session.query('select 1')).toEqual([[1]]);
    await session.close();
    await expect(update(1)).rejects.toMatchObject({ status: 400 });
  });

  it('comes back with its data after a change of tier and after its server was killed', async () => {
    await deployer.client.call('databases.update', { body: { ...addressed(id), tier: 'db-g1-small' } });
    await databases.settled(id);
    expect(await ask(url, 'select count(*) from notes')).toBe('2');
    const [main] = mainProcesses(platform.home);
    process.kill(main!.pid, 'SIGKILL');
    await until('it answers again', async () => (await stockClient(url, 'select 1')).exitCode === 0);
    expect(await ask(url, 'select count(*) from notes')).toBe('2');
  });

  it('is deleted with everything of it', async () => {
    await databases.remove(id);
    expect((await stockClient(url, 'select 1')).exitCode).not.toBe(0);
    expect(leftOf(platform.home)).toEqual([]);
  });
});

describe('the platform', () => {
  it('restarts no database when it is restarted itself', async () => {
    const id = await databases.create('Steady');
    await databases.settled(id);
    const url = await databases.url(id);
    const session = await connectTo(url);
    const before = mainProcesses(platform.home);
    for (const pid of platform.pids().worker ?? []) process.kill(pid, 'SIGKILL');
    const { home, port } = platform;
    expect(await platform.stop()).toBe(0);
    expect(await session.query('select 1')).toEqual([[1]]);
    platform = await startPlatform({ home, port, env: { LILAC_RATE_LIMIT: '1000000' } });
    expect(await session.query('select 1')).toEqual([[1]]);
    expect(mainProcesses(platform.home)).toEqual(before);
    await session.close();
    await databases.remove(id);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabaseWorld } from './database-world.ts';
import { ask, connectTo, databaseTypes, stockClient, type Databases } from './databases.ts';
import { leftOf, serversOf } from './database-servers.ts';
import type { Deployer } from './deploying.ts';
import { until, type Platform } from './platform.ts';

/** Databases whose platform is killed, and whose disk is full. */
let platform: Platform;
let deployer: Deployer;
let databases: Databases;
const scratch = mkdtempSync(join(tmpdir(), 'lilac-e2e-killed-'));

beforeAll(async () => {
  ({ platform, deployer, databases } = await openDatabaseWorld());
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

const addressed = (databaseId: string) => ({ targetOrganisationId: deployer.targetOrganisationId, databaseId });

/** The worker does the work; the supervisor brings a new one. */
async function killWorker(): Promise<void> {
  const before = platform.pids().worker ?? [];
  for (const pid of before) process.kill(pid, 'SIGKILL');
  await until('there is another worker', () => {
    const now = platform.pids().worker ?? [];
    return now.length > 0 && now.every((pid) => !before.includes(pid));
  });
}

/** Asks again where the answer was lost with the process. */
async function insisting<T>(call: () => Promise<T>): Promise<T> {
  let answer: T | undefined;
  await until('the platform has answered', async () => {
    try {
      answer = await call();
      return true;
    } catch (error) {
      const { status = 0 } = error as { status?: number };
      if (status !== 503 && status !== 502 && status !== 0) throw error;
      return false;
    }
  });
  return answer!;
}

describe.each(databaseTypes)('a %s database, when the worker is killed', (databaseType) => {
  it.each([0, 60, 150, 400])('while it is being set up, after %s ms, is set up all the same', async (delayMs) => {
    const id = await databases.create('Killed', { databaseType });
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await killWorker();
    await databases.settled(id);
    expect(await ask(await databases.url(id), 'select 1')).toBe('1');
    await until('only its own server is there', () => serversOf(platform.home).length === 1);
    await databases.remove(id);
    await until('nothing is left', () => leftOf(platform.home).length === 0);
  });

  it('while it is dumped, imported, or given another password, ends in a true state', async () => {
    const id = await databases.create('Busy', { databaseType });
    await databases.settled(id);
    const url = await databases.url(id);
    await fill(url, 20_000);
    const before = await checksum(url);

    const dump = insisting(() => deployer.client.call('databases.dump', { body: addressed(id) }));
    await killWorker();
    const { downloadUrl, size } = await dump;
    const bytes = Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
    expect(bytes.length).toBe(size);
    expect(await checksum(url)).toEqual(before);

    const path = join(scratch, `${databaseType}.sql.gz`);
    writeFileSync(path, gzipSync(`create table imported (n int primary key);\n${inserts(5000)}`));
    const importing = databases.importFile(id, path).catch((error: Error) => error);
    await until('it is being imported', async () => (await databases.get(id)).status === 'updating').catch(() => {});
    await killWorker();
    await importing;
    const { error } = await databases.settled(id);
    const [[found]] = (await within(url, (connection) => connection.query(countOf('imported')))) as [[unknown]];
    expect(Number(found)).toBe(error === null ? 5000 : -1);
    expect(await checksum(url)).toEqual(before);

    const rotation = insisting(() => databases.rotate(id));
    await killWorker();
    const renewed = await rotation;
    expect(renewed).toBe(await databases.url(id));
    expect(await ask(renewed, 'select 1')).toBe('1');
    expect((await stockClient(url, 'select 1')).exitCode).not.toBe(0);
    await databases.remove(id);
    await until('nothing is left', () => leftOf(platform.home).length === 0);
  });
});

describe.each(databaseTypes)('a %s database whose storage is used up', (databaseType) => {
  it('refuses writes, still reads, leaves the others and the platform alone, and goes on when it has grown', async () => {
    const [full, other] = [
      await databases.create('Full', { databaseType, tier: 'db-g1-small' }),
      await databases.create('Other', { databaseType }),
    ];
    await Promise.all([databases.settled(full), databases.settled(other)]);
    const url = await databases.url(full);
    const free = statfsSync(platform.home);
    await ask(url, `create table heap (id int, filler ${databaseType === 'mysql' ? 'longblob' : 'bytea'})`);
    await until(
      'a write is refused',
      () =>
        writeMuch(url, databaseType).then(
          () => false,
          () => true,
        ),
      150_000,
    );
    await until('it says so', async () => (await databases.get(full)).error !== null);
    await until('it reads', async () => (await stockClient(url, 'select count(*) from heap')).exitCode === 0);
    const otherUrl = await databases.url(other);
    expect(await ask(otherUrl, 'create table fine (id int)')).toBe('');
    expect((await databases.get(other)).status).toBe('healthy');
    expect(statfsSync(platform.home).bavail).toBeGreaterThan(free.bavail - (3 * 2 ** 30) / free.bsize);
    await deployer.client.call('databases.update', { body: { ...addressed(full), storageGb: 3 } });
    await databases.settled(full);
    await until(
      'it takes writes again',
      async () => (await stockClient(url, 'insert into heap (id) values (0)')).exitCode === 0,
    );
    await until('it says no more that it is full', async () => (await databases.get(full)).error === null);
    await Promise.all([databases.remove(full), databases.remove(other)]);
    expect(execFileSync('mount').toString()).not.toContain(join(platform.home, 'databases', 'dbs_'));
  });
});

/** Rows that no engine makes smaller: random, or too short to be worth it. */
async function writeMuch(url: string, databaseType: string): Promise<void> {
  await within(url, async (connection) => {
    for (let round = 0; round < 40; round++) {
      await connection.query(
        databaseType === 'mysql'
          ? 'insert into heap select seq, random_bytes(1000) from seq_1_to_40000'
          : "insert into heap select n, convert_to(repeat(md5(n::text), 60), 'UTF8') from generate_series(1, 20000) n",
      );
    }
  });
}

async function within<T>(
  url: string,
  work: (connection: Awaited<ReturnType<typeof connectTo>>) => Promise<T>,
): Promise<T> {
  const connection = await connectTo(url);
  try {
    return await work(connection);
  } finally {
    await connection.close().catch(() => {});
  }
}

async function fill(url: string, rows: number): Promise<void> {
  await within(url, async (connection) => {
    await connection.query('create table kept (id int primary key, text varchar(100))');
    const values = Array.from({ length: rows }, (_, id) => `(${id}, 'row ${id}')`);
    await connection.query(`insert into kept values ${values.join(',')}`);
  });
}

const checksum = (url: string) =>
  within(url, (connection) => connection.query('select count(*), min(text), max(text), sum(id) from kept'));

const inserts = (count: number): string =>
  Array.from({ length: count }, (_, n) => `insert into imported values (${n});\n`).join('');

/** -1 where there is no such table. */
const countOf = (table: string): string =>
  `select case when exists (select 1 from information_schema.tables where table_name = '${table}') then 5000 else -1 end`;

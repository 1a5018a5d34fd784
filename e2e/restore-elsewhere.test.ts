import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openS3 } from '../server/src/objects/s3/s3-connection.ts';
import { startS3Server, type S3Server } from '../server/src/objects/s3/testing/start-s3-server.ts';
import { startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { createAccount, type Account } from './acknowledged-writes.ts';
import { ask, createDatabases } from './databases.ts';
import { createDeployer, visit, type Application } from './deploying.ts';
import { runLilac } from './operator-commands.ts';
import { findFreePort, startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

/**
 * A host is lost with all it had, and another takes its place: another home, another database of a PostgreSQL that is
 * not the platform's own, another bucket. What comes along is the backup, and a copy of the bucket.
 */
const folder = mkdtempSync(join(tmpdir(), 'lilac-elsewhere-'));
const file = join(folder, 'platform.backup');
const homes = { lost: join(folder, 'lost'), next: join(folder, 'next') };
const databaseNames = { lost: 'postgres', next: 'elsewhere' };

let store: Awaited<ReturnType<typeof startEmbeddedStore>>;
let buckets: Record<keyof typeof homes, S3Server>;
let port: number;
let platform: Platform;
let account: Account;
let site: Application;
let server: Application;
let databaseId: string;

beforeAll(async () => {
  const options = { directory: join(folder, 'store'), logFile: join(folder, 'store.log'), password: 'theirs' };
  store = await startEmbeddedStore(options);
  const client = new pg.Client({ connectionString: urlOf('lost') });
  await client.connect();
  await client.query(`create database ${databaseNames.next}`);
  await client.end();
  buckets = { lost: await startS3Server(), next: await startS3Server() };
  port = await findFreePort();
  platform = await startPlatform({ home: homes.lost, port, env: settingsOf('lost') });
  account = await createAccount(platform);
  const deployer = createDeployer(platform, account);
  site = await deployer.createFromFiles('Site', { 'index.html': 'a page' }, { deploymentType: 'static' });
  server = await deployer.createFromFiles('Server', serverApp('a server'), { deploymentType: 'container' });
  for (const each of [site, server]) await deployer.healthy((await deployer.newest(each)).id);
  const databases = createDatabases(deployer);
  databaseId = await databases.create('Shop', { databaseType: 'postgresql' });
  await databases.settled(databaseId);
  await ask(await databases.url(databaseId), "create table notes as select 'written before' as text");
  const body = addressed();
  await deployer.client.call('databases.backup', { body });
  const backups = () => deployer.client.call('databases.backups', { body });
  await until('the database is backed up', async () => (await backups()).some(({ status }) => status === 'ready'));
}, 300_000);
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  for (const bucket of Object.values(buckets ?? {})) await bucket[Symbol.asyncDispose]();
  if (store) await stopEmbeddedStore(store.process);
  rmSync(folder, { recursive: true, force: true });
});

function urlOf(host: keyof typeof homes): string {
  const socket = encodeURIComponent(join(folder, 'store', 'data'));
  return `postgresql://lilac:theirs@localhost/${databaseNames[host]}?host=${socket}`;
}

function settingsOf(host: keyof typeof homes): Record<string, string> {
  return { LILAC_DATABASE_URL: urlOf(host), LILAC_EDGE_PROCESSES: '1', ...buckets[host].environment };
}

const addressed = () => ({ targetOrganisationId: account.organisationId, databaseId });
const restore = (host: keyof typeof homes, ...options: string[]) =>
  runLilac(['restore', file, ...options], { home: homes.next, environment: settingsOf(host) });

/** As whoever keeps a copy of a bucket does it, with the tools of its object store. */
async function copyBucket(): Promise<number> {
  const [from, to] = [openS3(buckets.lost.settings), openS3(buckets.next.settings)];
  const { Contents = [], IsTruncated } = await from.client.send(new ListObjectsV2Command({ Bucket: from.bucket }));
  expect(IsTruncated).toBe(false);
  for (const { Key } of Contents) {
    const { Body, ContentType } = await from.client.send(new GetObjectCommand({ Bucket: from.bucket, Key }));
    const bytes = await Body!.transformToByteArray();
    await to.client.send(new PutObjectCommand({ Bucket: to.bucket, Key, Body: bytes, ContentType }));
  }
  for (const { client } of [from, to]) client.destroy();
  return Contents.length;
}

describe('a backup of a host that is lost, with its store and its bucket elsewhere', () => {
  it('is written, and not restored under servers that run, whichever host they are on', async () => {
    expect(await platform.lilac('backup', file, '--json')).toMatchObject({ exitCode: 0 });
    for (const options of [[], ['--replace']]) {
      const { exitCode, stderr } = await restore('lost', ...options);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('Servers use this store (api, worker');
      expect(stderr).toContain('Stop them on every host');
    }
    expect((await visit(server.url)).body).toBe('a server');
  });

  it('makes another host serve the same, with nothing of the first', async () => {
    await platform[Symbol.asyncDispose]();
    expect(await copyBucket()).toBeGreaterThan(0);
    await buckets.lost.stop();
    rmSync(homes.lost, { recursive: true });
    expect(await restore('next')).toMatchObject({ exitCode: 0 });
    expect(readdirSync(join(homes.next, 'secrets'))).toContain('keyring.json');
    platform = await startPlatform({ home: homes.next, port, env: settingsOf('next') });
    await until('the site is served', async () => (await visit(site.url)).body === 'a page');
    await until('the server is served', async () => (await visit(server.url)).body === 'a server');
  });

  it('knows who was there, and a release goes through', async () => {
    const deployer = createDeployer(platform, account);
    await deployer.healthy(await deployer.deploy(server, serverApp('released after')));
    expect((await visit(server.url)).body).toBe('released after');
  });

  it('makes databases anew from their backups in the bucket', async () => {
    const deployer = createDeployer(platform, account);
    const backups = await deployer.client.call('databases.backups', { body: addressed() });
    const body = { ...addressed(), backupId: backups[0]!.id, name: 'Shop again' };
    const { id } = await deployer.client.call('databases.restore', { body });
    const databases = createDatabases(deployer);
    await databases.settled(id);
    expect(await ask(await databases.url(id), 'select text from notes')).toBe('written before');
  });
});

import { createReadStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import pg from 'pg';
import mysql from 'mysql2/promise';
import type { CallInput } from '../contract/src/client.ts';
import type { OutputOf } from '../contract/src/endpoint.ts';
import type { Endpoints } from '../contract/src/endpoints.ts';
import type { DatabaseType } from '../contract/src/states.ts';
import { run, type Finished } from '../server/src/lib/exec.ts';
import type { Deployer } from './deploying.ts';
import { until } from './platform.ts';

export type DatabaseView = OutputOf<Endpoints['databases.get']>;
type Create = CallInput<'databases.create'>['body'];

export const databaseTypes: readonly DatabaseType[] = ['postgresql', 'mysql'];

/** What a user of the API does with databases. */
export interface Databases {
  create(name: string, settings?: Partial<Create>): Promise<string>;
  get(databaseId: string): Promise<DatabaseView>;
  /** Waits until nothing is being done to it; fails when that is not how it ends. */
  settled(databaseId: string, wanted?: DatabaseView['status']): Promise<DatabaseView>;
  url(databaseId: string): Promise<string>;
  rotate(databaseId: string, newPassword?: string): Promise<string>;
  /** Uploads a file of SQL, plain or compressed, and runs it; answers how it ended. */
  importFile(databaseId: string, path: string): Promise<DatabaseView>;
  remove(databaseId: string): Promise<void>;
}

export function createDatabases({
  client,
  targetOrganisationId,
}: Pick<Deployer, 'client' | 'targetOrganisationId'>): Databases {
  const addressed = (databaseId: string) => ({ targetOrganisationId, databaseId });
  const get = (databaseId: string) => client.call('databases.get', { body: addressed(databaseId) });

  async function settled(databaseId: string, wanted: DatabaseView['status'] = 'healthy'): Promise<DatabaseView> {
    let view = await get(databaseId);
    await until(
      `database ${databaseId} is settled`,
      async () => {
        view = await get(databaseId);
        return !['provisioning', 'updating'].includes(view.status);
      },
      170_000,
    );
    if (view.status !== wanted) throw new Error(`${view.status}: ${view.error}`);
    return view;
  }

  async function upload(path: string): Promise<string> {
    const contentType = path.endsWith('.gz') ? 'application/gzip' : 'application/sql';
    const { size } = statSync(path);
    const reserved = await client.call('upload.request-url', {
      body: { targetOrganisationId, contentType, fileSize: size, fileName: path.split('/').at(-1)! },
    });
    const put = await fetch(reserved.signedUrl, {
      method: 'PUT',
      headers: { 'content-type': contentType, 'content-length': String(size) },
      body: Readable.toWeb(createReadStream(path)) as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    if (!put.ok) throw new Error(`The PUT was answered ${put.status}: ${await put.text()}`);
    await client.call('upload.complete', { body: { targetOrganisationId, uploadId: reserved.uploadId } });
    return reserved.uploadId;
  }

  return {
    get,
    settled,
    async create(name, settings = {}) {
      const body = { targetOrganisationId, name, storageGb: 1, ...settings };
      return (await client.call('databases.create', { body })).id;
    },
    async url(databaseId) {
      return (await client.call('databases.connection-string', { body: addressed(databaseId) })).connectionString;
    },
    async rotate(databaseId, newPassword) {
      const body = { ...addressed(databaseId), newPassword };
      return (await client.call('databases.rotate-password', { body })).connectionString;
    },
    async importFile(databaseId, path) {
      const body = { ...addressed(databaseId), uploadId: await upload(path) };
      await client.call('databases.import', { body });
      return settled(databaseId);
    },
    async remove(databaseId) {
      await client.call('databases.delete', { body: { ...addressed(databaseId), force: true } });
      await until(`database ${databaseId} is gone`, async () => {
        const answer = await get(databaseId).catch((error: { status?: number }) => error);
        return 'status' in answer && answer.status === 404;
      });
    },
  };
}

/** One connection of a client library, whatever the engine. */
export interface Connection {
  /** The rows as arrays. */
  query(text: string): Promise<unknown[][]>;
  close(): Promise<void>;
}

export async function connectTo(url: string): Promise<Connection> {
  return url.startsWith('mysql:') ? connectMysql(url) : connectPostgresql(url);
}

async function connectPostgresql(url: string): Promise<Connection> {
  const address = new URL(url);
  address.search = '';
  const client = new pg.Client({
    connectionString: address.href,
    // The certificate is the server's own.
    ssl: { rejectUnauthorized: false },
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  await client.connect();
  return {
    async query(text) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
      return rows;
    },
    close: () => client.end(),
  };
}

async function connectMysql(url: string): Promise<Connection> {
  const client = await mysql.createConnection({ uri: url, rowsAsArray: true, connectTimeout: 10_000 });
  client.on('error', () => {});
  return {
    async query(text) {
      const [rows] = await client.query(text);
      return Array.isArray(rows) ? (rows as unknown[][]) : [];
    },
    close: () => client.end(),
  };
}

/**
 * The client that people have: `psql` takes the string as it is, `mariadb` its parts. The password is in neither's
 * argv.
 */
export function stockClient(url: string, statement: string): Promise<Finished> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', LANG: 'C.UTF-8' };
  if (url.startsWith('mysql:')) {
    const argv = ['mariadb', '--no-defaults', '-h', hostname, '-P', port, '--protocol=tcp', '-u', username] as const;
    const all = [
      ...argv,
      '--default-character-set=utf8mb4',
      '--batch',
      '-N',
      '-e',
      statement,
      pathname.slice(1),
    ] as const;
    return run(all, { env: { ...env, MYSQL_PWD: decodeURIComponent(password) }, timeoutMs: 30_000 });
  }
  const bare = new URL(url);
  bare.password = '';
  const argv = ['psql', bare.href, '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', statement] as const;
  return run(argv, { env: { ...env, PGPASSWORD: decodeURIComponent(password) }, timeoutMs: 30_000 });
}

/** What a stock client answers; fails with what it complains of. */
export async function ask(url: string, statement: string): Promise<string> {
  const { exitCode, stdout, stderr } = await stockClient(url, statement);
  if (exitCode !== 0) throw new Error(stderr.trim());
  return stdout.trim();
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig, type Config, type Environment } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { removeTree } from '../../../lib/remove-tree.ts';
import type { ClientWants, EngineSubject, TestClient } from '../../conformance-subject.ts';
import type { Engine } from '../../engine.ts';
import { createServerHost } from '../../host/create-server-host.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { createPostgresql } from '../create-postgresql.ts';
import type { PostgresqlPrograms } from '../programs.ts';

export interface PostgresqlSubject extends EngineSubject {
  host: ServerHost;
  config: Config;
}

/** What differs between series shows at the ends. */
export function newestAndOldest(found: readonly PostgresqlPrograms[]): PostgresqlPrograms[] {
  return [...new Set([found[0], found.at(-1)])].filter((each) => each !== undefined);
}

/** The engine over an installation of its own, which goes with everything in it. */
export async function openPostgresql(
  programs: PostgresqlPrograms,
  name = 'lilac-pg-',
  settings: Environment = {},
): Promise<PostgresqlSubject> {
  const home = mkdtempSync(join(tmpdir(), name));
  const config = readConfig({
    LILAC_HOME: home,
    ...settings,
    ...(programs.origin !== 'npm' && { LILAC_POSTGRESQL_PROGRAMS: programs.folder }),
  });
  const host = createServerHost({ config, log: silentLog });
  const engine = engineOver(config, host);
  await engine.open();
  const homeOf = async (serverId: string) => (await host.find(serverId))?.home ?? '';
  return {
    engine,
    host,
    config,
    home,
    version: String(programs.series),
    connect,
    async another() {
      const next = engineOver(config, createServerHost({ config, log: silentLog }));
      await next.open();
      return next;
    },
    mainPid: async (serverId) =>
      Number(readFileSync(join(await homeOf(serverId), 'postmaster.pid'), 'utf8').split('\n')[0]),
    async spoil(serverId) {
      const folder = await homeOf(serverId);
      for (const name of ['lilac.json', 'global', 'server.key']) rmSync(join(folder, name), { recursive: true });
    },
    forbidden: [
      "select pg_read_file('/etc/passwd')",
      "select pg_ls_dir('.')",
      "select lo_import('/etc/passwd')",
      "copy place from '/etc/passwd'",
      "copy place to '/tmp/place'",
      "copy place from program 'id'",
      "copy place to program 'cat'",
      'create role mallory login',
      'create role mallory superuser',
      'alter role alice superuser',
      'alter role alice createdb createrole replication bypassrls',
      'alter role lilac password null',
      'set role lilac',
      'grant pg_read_server_files to alice',
      'create database another',
      'alter system set log_statement = all',
      'create extension file_fdw',
      'create extension dblink',
      "create function f() returns int language c as 'libc', 'getpid'",
      'create language plpython3u',
      "create tablespace t location '/tmp'",
      "load '/tmp/x.so'",
      'set session_preload_libraries = x',
      'drop database postgres',
      'select pg_reload_conf()',
      'select * from pg_authid',
      'select pg_promote()',
      'checkpoint',
      'create subscription s connection $$$$ publication p',
    ],
    freeing: ['set default_transaction_read_only = off', 'drop table big'],
    async [Symbol.asyncDispose]() {
      for (const id of await engine.list()) await engine.destroy(id);
      await engine.close();
      await removeTree(home);
    },
  };
}

function notHere(): never {
  throw new Error('this is tested elsewhere');
}

function engineOver(config: Config, host: ServerHost): Engine {
  const transfer = { dump: notHere, load: notHere };
  return createPostgresql({ config, host, log: silentLog, transfer, explore: notHere });
}

async function connect(wants: ClientWants): Promise<TestClient> {
  const client = new pg.Client({
    host: wants.host ?? '127.0.0.1',
    port: wants.port,
    database: wants.databaseName,
    user: wants.user,
    password: wants.password,
    ...(wants.encrypted && { ssl: { rejectUnauthorized: false } }),
    ...(wants.from && { stream: () => socketFrom(wants.from) }),
  });
  client.on('error', () => {});
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  await client.connect();
  return {
    ended,
    query: async (text) => (await client.query<Record<string, unknown>>(text)).rows,
    async isEncrypted() {
      const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      return rows[0]?.ssl ?? false;
    },
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => {});
    },
  };
}

function socketFrom(localAddress: string | undefined): Socket {
  const socket = new Socket();
  const plain = socket.connect.bind(socket);
  return Object.assign(socket, {
    connect: (port: number, host: string) => plain({ port, host, ...(localAddress && { localAddress }) }),
  });
}

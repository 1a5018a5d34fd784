import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { readConfig, type Config, type Environment } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { removeTree } from '../../../lib/remove-tree.ts';
import type { ClientWants, EngineSubject, TestClient } from '../../conformance-subject.ts';
import type { Engine } from '../../engine.ts';
import { createServerHost } from '../../host/create-server-host.ts';
import { findMain } from '../../host/launch-notes.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { homeOf } from '../../host/places-of.ts';
import { connectAsPlatform } from '../connect.ts';
import { createMysql } from '../create-mysql.ts';

export interface MysqlSubject extends EngineSubject {
  host: ServerHost;
  config: Config;
  /** As the platform asks, through the socket. */
  ask(serverId: string, statement: string): Promise<RowDataPacket[]>;
}

/** The engine over an installation of its own, which goes with everything in it. */
export async function openMysql(settings: Environment = {}): Promise<MysqlSubject> {
  const home = mkdtempSync(join(tmpdir(), 'lilac-mysql-'));
  const config = readConfig({ LILAC_HOME: home, ...settings });
  const host = createServerHost({ config, log: silentLog });
  const engine = engineOver(config, host);
  await engine.open();
  return {
    engine,
    host,
    config,
    home,
    version: (await engine.availability()).version ?? '',
    connect,
    async another() {
      const next = engineOver(config, createServerHost({ config, log: silentLog }));
      await next.open();
      return next;
    },
    async mainPid(serverId) {
      const place = await host.find(serverId);
      const main = place && findMain(place.folder);
      if (!main) throw new Error(`${serverId} does not run`);
      return main.pid;
    },
    async spoil(serverId) {
      const folder = await homeOf(host, serverId);
      for (const name of ['lilac.json', 'mysql', 'ibdata1']) rmSync(join(folder, name), { recursive: true });
    },
    async ask(serverId, statement) {
      await using session = await connectAsPlatform(await homeOf(host, serverId));
      const [rows] = await session.connection.query<RowDataPacket[]>(statement);
      return rows;
    },
    forbidden: [
      'select * from mysql.global_priv',
      'create database another',
      "create user mallory identified by 'mallory-password'",
      'grant all privileges on *.* to current_user()',
      "set password for root@localhost = password('mallory-password')",
      'set global max_connections = 5000',
      'set global read_only = off',
      'set global event_scheduler = on',
      'set sql_log_bin = 0',
      "select 'x' into outfile '/tmp/lilac-place'",
      "load data infile '/etc/passwd' into table place",
      "load data local infile '/etc/passwd' into table place",
      "install soname 'auth_ed25519'",
      "create function getpid returns integer soname 'libc.so.6'",
      "create server s foreign data wrapper mysql options (host '127.0.0.1')",
      'show binary logs',
      'show slave status',
      'stop slave',
      "change master to master_host = '127.0.0.1'",
      'flush tables with read lock',
      'backup stage start',
      'kill 1',
      'shutdown',
    ],
    freeing: ['truncate table big', 'drop table big'],
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
  return createMysql({ config, host, log: silentLog, transfer, explore: notHere });
}

async function connect(wants: ClientWants): Promise<TestClient> {
  const { host = '127.0.0.1', port, from, user, password, databaseName: database } = wants;
  const socket = connectSocket({ host, port, ...(from && { localAddress: from }) });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const connection = await mysql.createConnection({
    user,
    password,
    database,
    ...(wants.encrypted && { ssl: { rejectUnauthorized: false } }),
    stream: () => socket,
  });
  connection.on('error', () => {});
  return {
    ended,
    query: async (text) => {
      const [rows] = await connection.query<RowDataPacket[]>(text);
      return Array.isArray(rows) ? rows.map((row) => ({ ...row })) : [];
    },
    async isEncrypted() {
      const [[row]] = await connection.query<RowDataPacket[]>("show session status like 'Ssl_cipher'");
      return String(row?.['Value'] ?? '') !== '';
    },
    async [Symbol.asyncDispose]() {
      await connection.end().catch(() => {});
      connection.destroy();
    },
  };
}

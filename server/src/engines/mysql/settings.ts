import { createHash } from 'node:crypto';
import type { ServerSize, ServerSpec } from '../server.ts';
import { SOCKET_NAME } from './connect.ts';
import { ownersPacketMb } from './packet-limit.ts';

export interface SettingsWanted {
  serverId: string;
  port: number;
  role: ServerSpec['role'];
  size: ServerSize;
  /** How the server names its own folder. */
  innerHome: string;
  /** Whether it writes down what it does, so that a standby can follow. */
  isFollowed: boolean;
  /** Whether commits wait for the standby from the first one on. */
  isSynchronous: boolean;
  /** A standby that is being made does not yet know whom to follow. */
  waitsToFollow?: boolean;
}

/** Folders in the server's home that are no databases, though MariaDB would take them for some. */
export const OWN_FOLDERS = { temporary: 'tmp', copy: 'lilac-copy', certificate: 'tls' } as const;

export const BINLOG_NAME = 'binlog';
export const RELAY_NAME = 'relay';

/** What the template has: another size costs the first start a moment. */
export const SMALL_REDO_MB = 48;
/** Files of their own for what transactions would undo: those can become smaller again. */
export const UNDO_FILES = 2;

/** From here on processors and memory are somebody's own. */
const DEDICATED_MEMORY_MB = 3072;

/** Nobody waits that long; what ends the wait for a standby that is gone is whoever looks after the database. */
const WAIT_FOR_STANDBY_MS = 2_000_000_000;

/** Whoever is let in at a standby, by an account that came from the primary, is sent away again. */
const SEND_AWAY =
  "signal sqlstate '45000' set message_text = 'This is the standby of a database; it takes no sessions.'";

/** What `mariadbd` is started with; all of it on the command line, where the server's own user cannot change it. */
export function settingsOf(wanted: SettingsWanted): Record<string, string> {
  return {
    ...reach(wanted),
    ...memory(wanted),
    ...writing(wanted),
    ...replication(wanted),
    ...words(),
  };
}

export function argumentsOf(settings: Record<string, string>): string[] {
  return ['--no-defaults', ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)];
}

/** Different for any two servers of a database; never 0. */
export function serverNumber(serverId: string): number {
  return createHash('sha256').update(serverId).digest().readUInt32BE(0) || 1;
}

function reach({ port, innerHome, size: { memoryMb } }: SettingsWanted): Record<string, string> {
  const inHome = (name: string) => `${innerHome}/${name}`;
  const connections = connectionsFor(memoryMb);
  return {
    datadir: innerHome,
    socket: inHome(SOCKET_NAME),
    'pid-file': inHome('mariadbd.pid'),
    tmpdir: inHome(OWN_FOLDERS.temporary),
    'slave-load-tmpdir': inHome(OWN_FOLDERS.temporary),
    'ignore-db-dirs': Object.values(OWN_FOLDERS).join(','),
    port: String(port),
    'bind-address': '*',
    // Accounts are told apart by addresses; a name would be what somebody else says of one.
    'skip-name-resolve': 'ON',
    'ssl-cert': inHome(`${OWN_FOLDERS.certificate}/server.crt`),
    'ssl-key': inHome(`${OWN_FOLDERS.certificate}/server.key`),
    'tls-version': 'TLSv1.2,TLSv1.3',
    // Who does not say who he is keeps a connection from somebody else for so long.
    'connect-timeout': '5',
    // The platform itself still gets in when its customer has used up all that he may.
    'max-user-connections': String(connections),
    'max-connections': String(connections + 20),
    'max-allowed-packet': mb(ownersPacketMb(memoryMb)),
    'local-infile': 'OFF',
    'symbolic-links': 'OFF',
    'secure-file-priv': inHome(OWN_FOLDERS.temporary),
    'character-set-server': 'utf8mb4',
    'collation-server': 'utf8mb4_unicode_ci',
    'default-time-zone': '+00:00',
  };
}

export function connectionsFor(memoryMb: number): number {
  return clamp(Math.floor(memoryMb / 60) * 5, 25, 1000);
}

function memory({ size: { memoryMb } }: SettingsWanted): Record<string, string> {
  const isDedicated = memoryMb >= DEDICATED_MEMORY_MB;
  return {
    'innodb-buffer-pool-size': mb(memoryMb * (isDedicated ? 0.55 : 0.3)),
    // All of it is touched at once, unlike the rest.
    'innodb-log-buffer-size': isDedicated ? '16M' : '2M',
    'aria-pagecache-buffer-size': mb(clamp(memoryMb / 64, 8, 128)),
    'key-buffer-size': isDedicated ? '16M' : '1M',
    'tmp-table-size': mb(clamp(memoryMb / 64, 8, 64)),
    'max-heap-table-size': mb(clamp(memoryMb / 64, 8, 64)),
    'innodb-read-io-threads': isDedicated ? '4' : '1',
    'innodb-write-io-threads': isDedicated ? '4' : '1',
    'performance-schema': 'OFF',
    'query-cache-type': 'OFF',
    'query-cache-size': '0',
  };
}

/** What is acknowledged is on the disk. Logs and temporary files count towards the storage, so they are bounded by it. */
function writing({ role, size: { memoryMb, storageGb } }: SettingsWanted): Record<string, string> {
  const storageMb = storageGb * 1024;
  const redoMb = memoryMb < DEDICATED_MEMORY_MB ? SMALL_REDO_MB : clamp(memoryMb / 16, SMALL_REDO_MB, 2048);
  return {
    'innodb-log-file-size': mb(Math.min(redoMb, Math.max(SMALL_REDO_MB, storageMb / 16))),
    'innodb-undo-tablespaces': String(UNDO_FILES),
    'innodb-undo-log-truncate': 'ON',
    'innodb-temp-data-file-path': `ibtmp1:4M:autoextend:max:${mb(storageMb / 4)}`,
    ...durability(role),
  };
}

/** A standby may lose what it applied last: the primary has it, and it asks for it again. */
export function durability(role: ServerSpec['role']): Record<string, string> {
  return {
    'sync-binlog': role === 'primary' ? '1' : '0',
    'innodb-flush-log-at-trx-commit': role === 'primary' ? '1' : '2',
  };
}

function replication(wanted: SettingsWanted): Record<string, string> {
  const { serverId, role, isFollowed, isSynchronous, waitsToFollow } = wanted;
  const isStandby = role === 'standby';
  if (!isFollowed && !isStandby) return {};
  return {
    'server-id': String(serverNumber(serverId)),
    'log-bin': BINLOG_NAME,
    'binlog-format': 'ROW',
    // Rows are what is replicated, so functions and triggers of the owner's can do no harm there.
    'log-bin-trust-function-creators': 'ON',
    'binlog-annotate-row-events': 'OFF',
    'max-binlog-size': '32M',
    'gtid-strict-mode': 'ON',
    'relay-log': RELAY_NAME,
    // So far may a standby lag; then the primary's commits wait for it.
    'max-relay-log-size': '16M',
    'relay-log-space-limit': '128M',
    'slave-parallel-threads': '4',
    'slave-parallel-mode': 'optimistic',
    'slave-net-timeout': '10',
    'master-retry-count': '0',
    'skip-slave-start': waitsToFollow ? 'ON' : 'OFF',
    'rpl-semi-sync-master-wait-point': 'AFTER_SYNC',
    'rpl-semi-sync-master-timeout': String(WAIT_FOR_STANDBY_MS),
    'rpl-semi-sync-master-enabled': isSynchronous && !isStandby ? 'ON' : 'OFF',
    'rpl-semi-sync-slave-enabled': isStandby ? 'ON' : 'OFF',
    'read-only': isStandby ? 'ON' : 'OFF',
    'init-connect': isStandby ? SEND_AWAY : '',
  };
}

/** What it writes into its log: about itself, and not the statement of its customer that it crashed with. */
function words(): Record<string, string> {
  return { 'log-warnings': '1', 'stack-trace': 'OFF' };
}

const mb = (megabytes: number): string => `${Math.round(megabytes)}M`;
const clamp = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)));

import type { ServerSize } from '../server.ts';

export interface SettingsWanted {
  /** The number of the series: 18. */
  series: number;
  port: number;
  size: ServerSize;
  /** Left out: it follows nobody. */
  follows?: { conninfo: string; slot: string };
  /** A standby needs as many as its primary has, or it does not follow. */
  atLeastConnections?: number;
}

/** From here on processors and memory are somebody's own, and parallel work pays. */
const DEDICATED_CPUS = 2;

/** `postgresql.conf` for a server of that size. */
export function settingsOf(wanted: SettingsWanted): Record<string, string> {
  return {
    ...reach(wanted),
    ...memory(wanted),
    ...writing(wanted),
    ...work(wanted),
    ...replication(wanted),
    ...words(),
  };
}

function reach({ series, port }: SettingsWanted): Record<string, string> {
  return {
    listen_addresses: '*',
    port: String(port),
    // Its working directory, which is its home.
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    superuser_reserved_connections: String(PLATFORM_CONNECTIONS),
    ...(series >= 16 && { reserved_connections: String(READER_CONNECTIONS) }),
    authentication_timeout: '15s',
    password_encryption: 'scram-sha-256',
    ssl: 'on',
    ssl_cert_file: 'server.crt',
    ssl_key_file: 'server.key',
    ssl_min_protocol_version: 'TLSv1.2',
    // A client whose machine is gone does not hold its locks for hours.
    tcp_keepalives_idle: '60',
    tcp_keepalives_interval: '10',
    tcp_keepalives_count: '6',
  };
}

/** Beside those of clients: for the platform, and for what it reads a database with. A dump needs four at a time. */
const PLATFORM_CONNECTIONS = 5;
const READER_CONNECTIONS = 5;

/** Of clients. */
export function connectionsFor(memoryMb: number): number {
  return clamp(Math.floor(memoryMb / 60) * 5, 25, 1000);
}

function memory({ size: { memoryMb, cpus }, atLeastConnections = 0 }: SettingsWanted): Record<string, string> {
  const connections = connectionsFor(memoryMb);
  const all = Math.max(connections + PLATFORM_CONNECTIONS + READER_CONNECTIONS, atLeastConnections);
  return {
    max_connections: String(all),
    // A dump holds every table and index at once. The same for every size: a standby needs as many as its primary.
    max_locks_per_transaction: '256',
    // What is not kept here the system keeps; and a small one that nobody uses is to cost little.
    shared_buffers: mb(clamp(memoryMb * (cpus >= DEDICATED_CPUS ? 0.25 : 0.05), 16, 65_536)),
    effective_cache_size: mb(memoryMb * 0.6),
    work_mem: mb(clamp((memoryMb * 0.25) / connections, 1, 256)),
    maintenance_work_mem: mb(clamp(memoryMb / 16, 16, 2048)),
    huge_pages: 'off',
    // Files in its own folder: those in /dev/shm would outlive a server that was killed.
    dynamic_shared_memory_type: 'mmap',
    jit: 'off',
  };
}

/** Logs of transactions and temporary files count towards the storage, so they are bounded by it. */
function writing({ size: { storageGb } }: SettingsWanted): Record<string, string> {
  const storageMb = storageGb * 1024;
  const logs = clamp(storageMb * 0.1, 96, 8192);
  return {
    max_wal_size: mb(logs),
    min_wal_size: mb(clamp(logs / 4, 32, 1024)),
    max_slot_wal_keep_size: mb(Math.max(logs, 128)),
    temp_file_limit: mb(storageMb * 0.25),
    // After a crash everything is brought to the disk first: its volume at once, not file after file.
    recovery_init_sync_method: 'syncfs',
  };
}

function work({ series, size: { cpus, memoryMb } }: SettingsWanted): Record<string, string> {
  const isDedicated = cpus >= DEDICATED_CPUS;
  const helpers = isDedicated ? clamp(cpus / 2, 1, 4) : 0;
  return {
    // A standby must have as many as its primary, whatever their sizes are while one is being changed.
    max_worker_processes: '16',
    max_parallel_workers: String(isDedicated ? clamp(cpus, 2, 12) : 0),
    max_parallel_workers_per_gather: String(helpers),
    max_parallel_maintenance_workers: String(helpers),
    // What parallel work shares comes from memory first, from files only beyond that.
    min_dynamic_shared_memory: mb(isDedicated ? memoryMb / 32 : 0),
    autovacuum_max_workers: isDedicated ? '3' : '1',
    // Subscriptions need a superuser, so nobody here has any.
    max_logical_replication_workers: '0',
    ...(series >= 18 && { io_method: isDedicated ? 'worker' : 'sync' }),
  };
}

function replication({ follows }: SettingsWanted): Record<string, string> {
  return {
    wal_level: 'replica',
    max_wal_senders: '4',
    max_replication_slots: '4',
    max_prepared_transactions: '0',
    hot_standby: 'on',
    // By default a standby that found nobody waits five seconds, and cannot be promoted meanwhile.
    wal_retrieve_retry_interval: '100ms',
    wal_receiver_status_interval: '1s',
    ...(follows && { primary_conninfo: follows.conninfo, primary_slot_name: follows.slot }),
  };
}

/** How it speaks: in its log about itself, not about the statements and rows of its customer. */
function words(): Record<string, string> {
  return {
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    timezone: 'UTC',
    lc_messages: 'C',
    // As every server has it that nobody gave another language.
    default_text_search_config: 'pg_catalog.english',
  };
}

export function settingsFile(settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`);
  return `# Written by Lilac at every start.\n${lines.join('\n')}\n`;
}

/** What a file that was written here says; null where it says nothing of it. */
export function settingIn(file: string, name: string): string | null {
  const line = file.split('\n').find((each) => each.startsWith(`${name} = `));
  return line ? line.slice(name.length + 4, -1).replaceAll("''", "'") : null;
}

const mb = (megabytes: number): string => `${Math.round(megabytes)}MB`;
const clamp = (value: number, least: number, most: number): number =>
  Math.round(Math.min(most, Math.max(least, value)));

import type { StoredKeys } from '../secrets/stored-keys.ts';

/**
 * A backup is one gzip stream of lines:
 *
 *   {"format":"lilac-backup","version":2,…}   the header, with the keys that open every sealed value
 *   {"table":"users","columns":["id",…]}      then, for each table, its rows as PostgreSQL's COPY text
 *   \.                                        and the end of the table
 *   {"object":"blobs/3f/3f…","size":42}       then, for each object, as many bytes, as they are
 *   {"rows":{"users":3,…},"objects":1,"sha256":"…"}   the trailer: a checksum of everything before it
 *
 * Version 1 had no objects, and no sequences but those of columns.
 */
export const FORMAT = 'lilac-backup';
export const FORMAT_VERSION = 2;
export const END_OF_TABLE = '\\.\n';

export interface BackupHeader {
  format: typeof FORMAT;
  version: number;
  /** The Lilac that wrote it. */
  lilac: string;
  /** The newest migration of the store it was written from. */
  migration: string;
  createdAt: string;
  tables: string[];
  sequences: SequenceValue[];
  /** Those that belong to no column; from version 2 on. */
  freeSequences?: FreeSequenceValue[];
  keys: StoredKeys;
  /** Where the objects are that are not in it: a bucket that has a keeper of its own. */
  objectsIn?: string;
}

/** The last number an identity column gave out: a number is not given out again, even if its row is gone. */
export interface SequenceValue {
  table: string;
  column: string;
  last: string | null;
}

export interface FreeSequenceValue {
  name: string;
  last: string | null;
}

export interface TableLine {
  table: string;
  columns: string[];
}

export interface ObjectLine {
  /** Its key in the object store. */
  object: string;
  size: number;
}

export interface BackupTrailer {
  rows: Record<string, number>;
  /** How many; from version 2 on. */
  objects?: number;
  sha256: string;
}

/** A backup that cannot be used; the message is for the operator. */
export class BackupError extends Error {}

/**
 * Rebuilt while the rest is loaded, or, like the edges, by those who live. The lines of logs are in no backup: they
 * are many, and gone in a week. Their numbers are, so that none is given out again. Metrics are as many, and say
 * what happened where they were measured.
 */
export const derivedTables: readonly string[] = [
  'organisation_counts',
  'edges',
  'apis',
  'machines',
  'rate_windows',
  'platform_vitals',
  'leaderships',
  'log_chunks',
  'log_positions',
  'metric_minutes',
  'metric_quarters',
  'metric_pending_quarters',
  'database_minutes',
];

/** The migrator's own; migrating writes them. */
export const migratorTables: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];

/** What an installation writes by itself as it starts. A store that holds nothing else is as good as empty. */
export const selfMadeTables: readonly string[] = [
  'platform_secrets',
  'setup_link',
  'jobs',
  'attempt_counters',
  'platform_errors',
];

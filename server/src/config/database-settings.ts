import { readNumber, readPortRange, readPublicUrl } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting, SettingName } from './settings.ts';

export const databaseSettings = [
  {
    name: 'LILAC_DATABASE_PORTS',
    default: '15000-15999',
    summary: 'The ports that databases are reached at. Open them in your firewall to reach databases from outside.',
  },
  {
    name: 'LILAC_DATABASE_HOST',
    default: 'the host of LILAC_PUBLIC_URL',
    summary: 'The name or address of this machine in the connection strings of databases.',
  },
  {
    name: 'LILAC_POSTGRESQL_PROGRAMS',
    default: '',
    summary:
      "A folder with PostgreSQL's own programs (`postgres`, `initdb`), 14 or newer, for new databases. Left out, the " +
      'newest is taken of what this machine has and what npm brought.',
  },
  {
    name: 'LILAC_BACKUP_DAYS',
    default: '7',
    summary: 'For how many days the daily backups of databases are kept.',
  },
  {
    name: 'LILAC_IMPORT_MAX_BYTES',
    default: '10737418240',
    summary: 'The largest dump that may be uploaded to be imported into a database.',
  },
] as const satisfies readonly Setting[];

export interface DatabaseSettings {
  /** Ports that databases are reached at; both ends belong to it. */
  ports: { first: number; last: number };
  /** The name or address by which clients outside reach this machine. */
  host: string;
  /** The folder of PostgreSQL's programs; null: the newest of the host's and what npm brought. */
  postgresqlPrograms: string | null;
  /** How long the daily backups are kept. */
  backupDays: number;
  importMaxBytes: number;
}

export function readDatabaseSettings(read: ReadSetting): DatabaseSettings {
  const publicUrl = readPublicUrl(read('LILAC_PUBLIC_URL') ?? 'http://localhost');
  const number = (name: SettingName, fallback: number, max: number) =>
    readNumber(name, read(name) ?? String(fallback), { min: 1, max });
  return {
    ports: readPortRange('LILAC_DATABASE_PORTS', read('LILAC_DATABASE_PORTS') ?? '15000-15999'),
    host: read('LILAC_DATABASE_HOST') ?? publicUrl.hostname,
    postgresqlPrograms: read('LILAC_POSTGRESQL_PROGRAMS') ?? null,
    backupDays: number('LILAC_BACKUP_DAYS', 7, 3650),
    importMaxBytes: number('LILAC_IMPORT_MAX_BYTES', 10 * 2 ** 30, 2 ** 43),
  };
}

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createSourceLimits } from '../../engines/address/source-limits.ts';
import { describeLacking, detectAbilities } from '../../engines/host/abilities.ts';
import { findPrograms as findMysql, type FoundPrograms } from '../../engines/mysql/programs.ts';
import {
  findPrograms as findPostgresql,
  OLDEST_SERIES,
  type PostgresqlPrograms,
} from '../../engines/postgresql/programs.ts';
import { silentLog } from '../../lib/log.ts';
import { readBackupStates, type BackupState } from '../../modules/databases/transfer/backup-store.ts';
import { ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { lookIntoStore } from './look-into-store.ts';

export const databaseChecks: CheckFamily = {
  title: 'Databases',
  checks: [
    {
      id: 'databases.postgresql',
      title: 'PostgreSQL',
      look: async ({ config }) => judgePostgresql(await findPostgresql(config.databases.postgresqlPrograms)),
    },
    { id: 'databases.mysql', title: 'MySQL', look: async () => judgeMysql(await findMysql()) },
    { id: 'databases.host', title: 'Isolation', needsHome: () => true, look: lookAtHost },
    {
      id: 'databases.backups',
      title: 'Backups',
      needsHome: ({ databaseUrl }) => databaseUrl === null,
      look: (host) => lookIntoStore(host, async (db) => judgeBackups(await readBackupStates(db), new Date())),
    },
  ],
};

const origins: Record<PostgresqlPrograms['origin'], string> = {
  setting: 'LILAC_POSTGRESQL_PROGRAMS',
  host: 'this machine’s',
  npm: 'npm’s',
};

/** The first is what new databases are made with; the others serve those that were made before. */
export function judgePostgresql([first, ...others]: readonly Pick<
  PostgresqlPrograms,
  'version' | 'origin'
>[]): Finding {
  if (!first) {
    return warn('not found: PostgreSQL databases cannot be made', `Install PostgreSQL ${OLDEST_SERIES} or newer.`);
  }
  const rest = others.map(({ version, origin }) => `${version} (${origins[origin]})`).join(', ');
  return ok(`PostgreSQL ${first.version} (${origins[first.origin]})${rest ? `; also ${rest}` : ''}`);
}

export function judgeMysql({ programs, missing }: FoundPrograms): Finding {
  return programs
    ? ok(`MariaDB ${programs.series} (${programs.server})`)
    : warn('MySQL databases cannot be made', missing);
}

/** Before the first start there is no home to try in, and looking must not make one. */
async function lookAtHost({ config }: CheckedHost): Promise<Finding> {
  const folder = existsSync(config.home) ? config.home : tmpdir();
  const lacking = describeLacking(await detectAbilities({ folder, log: silentLog }));
  const obstacle = await createSourceLimits({ config }).obstacle();
  return judgeHost(obstacle === null ? lacking : [...lacking, 'One machine may take all connections of a database.']);
}

export function judgeHost(lacking: readonly string[]): Finding {
  if (lacking.length === 0) return ok('each database has a user, a volume and limits of its own');
  return warn(lacking.join(' '), 'Run Lilac as root, with xfsprogs, util-linux and nftables installed.');
}

const LATE_MS = 2 * 24 * 60 * 60 * 1000;

/** Every database is backed up once a day; one that was not for two is worth a word. */
export function judgeBackups(states: readonly BackupState[], now: Date): Finding {
  if (states.length === 0) return ok('no databases');
  const isLate = ({ lastReadyAt, createdAt }: BackupState) =>
    now.getTime() - (lastReadyAt ?? createdAt).getTime() > LATE_MS;
  const wrong = states.filter((state) => state.lastError !== null || isLate(state));
  if (wrong.length === 0) return ok(`all ${states.length} databases are backed up every day`);
  const [{ name, databaseId, lastError }] = wrong as [BackupState];
  const why = lastError === null ? 'the last one is older than two days' : `the last one failed: ${lastError}`;
  const others = wrong.length === 1 ? '' : `, and ${wrong.length - 1} more`;
  return warn(`${name} (${databaseId}) has no backup of today${others}; ${why}`, 'Look at: lilac admin errors');
}

import type { DatabaseStatus } from '@lilac/contract/states';
import { createSourceLimits } from '../../engines/address/source-limits.ts';
import { describeLacking, detectAbilities } from '../../engines/host/abilities.ts';
import { findPrograms as findMysql, type FoundPrograms } from '../../engines/mysql/programs.ts';
import {
  findPrograms as findPostgresql,
  OLDEST_SERIES,
  type PostgresqlPrograms,
} from '../../engines/postgresql/programs.ts';
import { silentLog } from '../../lib/log.ts';
import { readDatabaseStates, type DatabaseState } from '../../modules/databases/database-store.ts';
import { readBackupStates, type BackupState } from '../../modules/databases/transfer/backup-store.ts';
import { ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { folderToTryIn, lookAtServices } from './database-services.ts';
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
    { id: 'databases.services', title: 'Services', needsHome: () => true, look: lookAtServices },
    {
      id: 'databases.backups',
      title: 'Backups',
      needsHome: ({ databaseUrl }) => databaseUrl === null,
      look: (host) => lookIntoStore(host, async (db) => judgeBackups(await readBackupStates(db), new Date())),
    },
    {
      id: 'databases.states',
      title: 'State',
      needsHome: ({ databaseUrl }) => databaseUrl === null,
      look: (host) => lookIntoStore(host, async (db) => judgeStates(await readDatabaseStates(db), new Date())),
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
  const lacking = describeLacking(await detectAbilities({ folder: folderToTryIn(config), log: silentLog }));
  const obstacle = await createSourceLimits({ config }).obstacle();
  return judgeHost(obstacle === null ? lacking : [...lacking, 'One machine may take all connections of a database.']);
}

export function judgeHost(lacking: readonly string[]): Finding {
  if (lacking.length === 0) return ok('each database has a user, a volume and limits of its own');
  return warn(lacking.join(' '), 'Run Lilac as root, with xfsprogs, util-linux and nftables installed.');
}

const HOUR_MS = 60 * 60 * 1000;
/** One a day, and some time to make it. */
const YOUNG_MS = 26 * HOUR_MS;

/** How many have a backup of the last day, and how many have none at all: those are told, whatever the reason. */
export function judgeBackups(states: readonly BackupState[], now: Date): Finding {
  if (states.length === 0) return ok('no databases');
  const ageMs = (time: Date) => now.getTime() - time.getTime();
  const isYoung = ({ lastReadyAt }: BackupState) => lastReadyAt !== null && ageMs(lastReadyAt) <= YOUNG_MS;
  const never = states.filter(({ lastReadyAt }) => lastReadyAt === null);
  const late = states.filter((state) => !isYoung(state) && ageMs(state.createdAt) > YOUNG_MS);
  const failed = states.filter(({ lastError }) => lastError !== null);
  const found = [
    `${states.filter(isYoung).length} of ${states.length} databases have a backup of the last 26 hours`,
    ...(never.length > 0 ? [`${never.length} ${never.length === 1 ? 'was' : 'were'} never backed up`] : []),
    ...failed
      .slice(0, 1)
      .map(({ name, databaseId, lastError }) => `the last of ${name} (${databaseId}) failed: ${lastError}`),
    ...late.slice(0, 1).map(({ name, databaseId }) => `that of ${name} (${databaseId}) is overdue`),
  ].join('; ');
  const wrong = new Set([...failed, ...late]).size;
  if (wrong === 0) return ok(found);
  return warn(
    wrong === 1 ? found : `${found} (${wrong} in all)`,
    'Look at: lilac admin errors; or back it up now: lilac db backup',
  );
}

/** Nothing that is done to a database is silent for so long. */
const STUCK_MS = 15 * 60 * 1000;

/** Those that are not well, and those that something is being done to without getting anywhere. */
export function judgeStates(states: readonly DatabaseState[], now: Date): Finding {
  if (states.length === 0) return ok('no databases');
  const unwell = states.filter(({ status }) => status === 'degraded' || status === 'failed');
  const stuck = states.filter(
    ({ status, error, updated_at }) =>
      isMoving(status) && (error !== null || now.getTime() - updated_at.getTime() > STUCK_MS),
  );
  const wrong = [...unwell, ...stuck];
  const [first, ...others] = wrong;
  if (!first) return ok(states.length === 1 ? 'the one there is, is well' : `all ${states.length} are well`);
  const since = first.updated_at.toISOString().slice(0, 16).replace('T', ' ');
  const about = `${first.name} (${first.id}) is ${first.status}: ${first.error ?? `nothing has happened since ${since}`}`;
  const more = others.map(({ name, id, status }) => `${name} (${id}) is ${status}`).slice(0, MOST_NAMED);
  const rest = others.length > MOST_NAMED ? [`${others.length - MOST_NAMED} more`] : [];
  return warn([about, ...more, ...rest].join('; '), 'Look at: lilac db status, lilac admin errors');
}

const MOST_NAMED = 4;

const isMoving = (status: DatabaseStatus): boolean =>
  status === 'provisioning' || status === 'updating' || status === 'deleting';

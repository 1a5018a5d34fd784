import { run } from '../../lib/exec.ts';
import { findProgram } from '../../lib/find-program.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { runsAsRoot } from '../../store/store-user.ts';

export interface MysqlPrograms {
  /** The part of the number whose files fit together: `10.11`. */
  series: string;
  server: string;
  installer: string;
}

export type FoundPrograms = { programs: MysqlPrograms; missing: null } | { programs: null; missing: string };

/** The first series that can do all we ask for. */
const OLDEST_SERIES = '10.6';

const HOW_TO_INSTALL =
  'Install MariaDB from the distribution: the packages mariadb-server-core and mariadb-client on Debian and Ubuntu, ' +
  'mariadb-server elsewhere. Its own service is not needed.';

/** The MariaDB of this machine. Older names stay as links, and other servers have them too. */
export async function findPrograms(path: string = PROGRAM_PATH): Promise<FoundPrograms> {
  const server = findProgram(['mariadbd', 'mysqld'], path);
  if (!server) return lacks('MariaDB is not installed on this machine.');
  const told = await run([server, '--no-defaults', '--version'], { env: {} }).catch(() => null);
  const series = readSeries(told?.stdout ?? '');
  if (!series) return lacks(`${server} is not MariaDB, and no other server is supported.`);
  if (isOlder(series, OLDEST_SERIES)) return lacks(`MariaDB ${series} is too old; ${OLDEST_SERIES} is the least.`);
  const installer = findProgram(['mariadb-install-db', 'mysql_install_db'], path);
  if (!installer) return lacks('mariadb-install-db is not installed on this machine.');
  if (runsAsRoot && !(await canHaveOwnView())) return { programs: null, missing: NO_OWN_VIEW };
  return { programs: { series, server, installer }, missing: null };
}

const NO_OWN_VIEW =
  'MariaDB as a user of its own needs a view of the file system of its own, which cannot be made here: ' +
  'give the platform the right to mount (CAP_SYS_ADMIN, and unshare of util-linux), or run it as a plain user.';

/** See `inner-home.ts`. */
async function canHaveOwnView(): Promise<boolean> {
  const tried = await run(['unshare', '--mount', 'true'], { env: { PATH: PROGRAM_PATH } }).catch(() => null);
  return tried?.exitCode === 0;
}

const lacks = (what: string): FoundPrograms => ({ programs: null, missing: `${what} ${HOW_TO_INSTALL}` });

/** `mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64`; null for what says something else. */
export function readSeries(output: string): string | null {
  return /\bVer (\d+\.\d+)\.\d+-MariaDB\b/.exec(output)?.[1] ?? null;
}

export function isOlder(series: string, than: string): boolean {
  const [major = 0, minor = 0] = series.split('.').map(Number);
  const [thanMajor = 0, thanMinor = 0] = than.split('.').map(Number);
  return major < thanMajor || (major === thanMajor && minor < thanMinor);
}

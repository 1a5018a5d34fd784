import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { findPostgres } from '../../store/binaries.ts';
import { runsAsRoot } from '../../store/store-user.ts';

export interface PostgresqlPrograms {
  /** The number whose files fit together: 18. */
  series: number;
  /** 18.4. */
  version: string;
  origin: 'setting' | 'host' | 'npm';
  /** The folder of the programs. */
  folder: string;
  initdb: string;
  postgres: string;
}

export const OLDEST_SERIES = 14;

/** Where distributions put a series each: Debian and its kin, Red Hat and its kin. */
const HOST_FOLDERS = [
  { root: '/usr/lib/postgresql', name: /^\d+$/ },
  { root: '/usr', name: /^pgsql-\d+$/ },
];

/** Every PostgreSQL on this machine that servers can run with, the one for new databases first. */
export async function findPrograms(named: string | null): Promise<PostgresqlPrograms[]> {
  const [setting, host, npm] = await Promise.all([
    named ? examine(named, 'setting') : null,
    Promise.all(hostFolders().map((folder) => examine(folder, 'host'))),
    examineEmbedded(),
  ]);
  return inOrder([setting, ...host, npm].filter((each) => each !== null));
}

/** What the operator names is first; then the newest, and of two alike the host's, which its updates keep safe. */
export function inOrder(found: readonly PostgresqlPrograms[]): PostgresqlPrograms[] {
  const rank = { setting: 0, host: 1, npm: 2 };
  const isNamed = (programs: PostgresqlPrograms) => (programs.origin === 'setting' ? 0 : 1);
  return found
    .filter(({ series }) => series >= OLDEST_SERIES)
    .toSorted(
      (left, right) =>
        isNamed(left) - isNamed(right) || right.series - left.series || rank[left.origin] - rank[right.origin],
    );
}

/** What to do where no new database can be made. */
export function describeMissing(named: string | null): string {
  const wanted = `PostgreSQL ${OLDEST_SERIES} or newer`;
  return named === null
    ? `${wanted} is not on this machine: install it, or name the folder of its programs in LILAC_POSTGRESQL_PROGRAMS.`
    : `LILAC_POSTGRESQL_PROGRAMS names ${named}, where ${wanted} is not: it must hold "postgres" and "initdb".`;
}

/** `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`; null for what says something else. */
export function readVersion(output: string): { series: number; version: string } | null {
  const version = /\(PostgreSQL\) (\d+(?:\.\d+)?)/.exec(output)?.[1];
  return version ? { series: Number.parseInt(version, 10), version } : null;
}

function hostFolders(): string[] {
  return HOST_FOLDERS.flatMap(({ root, name }) => {
    try {
      const below = readdirSync(root).filter((each) => name.test(each));
      return below.map((each) => join(root, each, 'bin'));
    } catch {
      return [];
    }
  });
}

async function examineEmbedded(): Promise<PostgresqlPrograms | null> {
  try {
    return await examine(join(findPostgres(runsAsRoot).postgres, '..'), 'npm');
  } catch {
    return null;
  }
}

async function examine(folder: string, origin: PostgresqlPrograms['origin']): Promise<PostgresqlPrograms | null> {
  const [initdb, postgres] = [join(folder, 'initdb'), join(folder, 'postgres')];
  try {
    const [told] = await Promise.all([postgres, initdb].map((program) => run([program, '--version'], { env: {} })));
    const read = readVersion(told?.stdout ?? '');
    return read && { ...read, origin, folder, initdb, postgres };
  } catch {
    return null;
  }
}

import { statfs } from 'node:fs/promises';
import { statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { pathsOf } from '../../config.ts';
import { fail, ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { formatSize } from './format-size.ts';

const GIBIBYTE = 1024 ** 3;

export const homeChecks: CheckFamily = {
  title: 'Installation',
  checks: [
    { id: 'home.folder', title: 'Home folder', look: lookAtFolder },
    { id: 'home.disk', title: 'Free disk', look: lookAtDisk },
    { id: 'home.key-file', title: 'Key file', needsHome: () => true, look: lookAtKeyFile },
  ],
};

export function lookAtFolder({ config }: CheckedHost): Finding {
  const stat = statOf(config.home);
  if (stat === 'denied')
    return fail(`${config.home} cannot be read`, 'Run this as the user the installation belongs to.');
  if (!stat) return ok(`${config.home} is not there yet; the first start makes it`);
  const mode = modeOf(stat);
  const found = `${config.home}, mode ${mode}, owned by uid ${stat.uid}`;
  if (!stat.isDirectory()) return fail(`${config.home} is not a folder`, 'Set LILAC_HOME to a folder.');
  if (stat.uid !== process.getuid?.()) {
    return fail(
      `${config.home} belongs to somebody else (uid ${stat.uid}; this is uid ${process.getuid?.()})`,
      `Run Lilac and its commands as uid ${stat.uid}, or set LILAC_HOME.`,
    );
  }
  if (stat.mode & 0o077) return fail(found, `It holds secrets and must be shut to others: chmod 700 ${config.home}`);
  return ok(found);
}

async function lookAtDisk({ config }: CheckedHost): Promise<Finding> {
  const { bavail, bsize } = await statfs(existingFolderOf(config.home));
  return judgeDisk(bavail * bsize);
}

export function judgeDisk(freeBytes: number): Finding {
  const found = `${formatSize(freeBytes)} free`;
  if (freeBytes < 0.25 * GIBIBYTE) return fail(found, 'The store stops when the disk is full. Make room.');
  if (freeBytes < 5 * GIBIBYTE) return warn(found, 'Builds and their caches need several gigabytes. Make room.');
  return ok(found);
}

export function lookAtKeyFile({ config }: CheckedHost): Finding {
  const path = pathsOf(config).keyring;
  const stat = statOf(path);
  if (stat === 'denied') return fail(`${path} cannot be read`, 'Run this as the user the installation belongs to.');
  if (!stat && config.databaseUrl !== null) {
    return warn(
      `${path} is not there`,
      'The first host of a platform makes it at its start. On every other: copy it from there, or set LILAC_KEYRING_FILE.',
    );
  }
  if (!stat) return judgeMissingKeyFile(config.home, path);
  const found = `${path}, mode ${modeOf(stat)}`;
  return stat.mode & 0o077 ? fail(found, `It opens every secret of this installation: chmod 600 ${path}`) : ok(found);
}

function judgeMissingKeyFile(home: string, path: string): Finding {
  const hasData = statOf(pathsOf({ home }).storeSocket);
  return hasData
    ? fail(`${path} is missing, and there is a store`, 'Put the key file back; without it no secret can be read.')
    : ok('not there yet; the first start makes it');
}

function statOf(path: string): Stats | 'denied' | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return 'denied';
    throw error;
  }
}

function modeOf(stat: Stats): string {
  return (stat.mode & 0o777).toString(8).padStart(4, '0');
}

function existingFolderOf(path: string): string {
  return path === dirname(path) || statOf(path) instanceof Object ? path : existingFolderOf(dirname(path));
}

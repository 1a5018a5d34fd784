import { resolve } from 'node:path';
import type { Command } from 'commander';
import { restoreBackup, type RestoreReport } from '../backup/restore-backup.ts';
import { pathsOf, type Config } from '../config.ts';
import { LockHeld, tryLock } from '../lib/file-lock.ts';
import { settingsPrefix } from '../lib/settings-prefix.ts';
import { isHeld } from './is-held.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';
import { summariseRows } from './summarise-rows.ts';

interface Options {
  replace?: true;
  json?: true;
}

export function addRestore(program: Command, context: OperatorContext): void {
  program
    .command('restore')
    .summary('put a backup back')
    .description(
      'Puts a backup into an empty store, all of it or nothing. No server may run on it, on any host; on a new machine, ' +
        'run this before the first start.',
    )
    .argument('<file>', 'a file that "lilac backup" wrote')
    .option('--replace', 'replace everything that is in the store')
    .option('--json', 'print one JSON document')
    .action((file: string, options: Options) => run(context, file, options));
}

async function run(context: OperatorContext, file: string, { replace, json }: Options): Promise<void> {
  const config = context.loadConfig();
  const path = resolve(file);
  if (!config.databaseUrl && isHeld(pathsOf(config).supervisorLock)) throw serverRuns(config);
  await using installation = await openInstallation(config, { mayCreate: true, mustBeStopped: true });
  // Given back before the store is, so that a server which starts in between adopts the store.
  using _ = config.databaseUrl ? null : keepServerFromStarting(config);
  const report = await restoreBackup({
    ...installation,
    keyFile: installation.paths.keyring,
    path,
    replace: replace === true,
  });
  for (const key of report.damagedObjects) {
    context.terminal.complain(
      `lilac: ${key} was damaged when the backup was made and was left out: deploy its site again.`,
    );
  }
  if (report.objectsIn !== null && !config.s3) {
    context.terminal.complain(
      `lilac: the files of this backup are not in it but in ${report.objectsIn}: set LILAC_S3_BUCKET and what goes with ` +
        'it before you start the server, or no application can be served.',
    );
  }
  printResult(context, { isJson: json === true, document: report, lines: describe(report, config) });
}

function keepServerFromStarting(config: Config): Disposable {
  try {
    return { [Symbol.dispose]: tryLock(pathsOf(config).supervisorLock) };
  } catch (error) {
    throw error instanceof LockHeld ? serverRuns(config) : error;
  }
}

function serverRuns({ home }: Config): OperatorError {
  return new OperatorError(
    `The server runs on ${home}, and would not notice what is restored under it.`,
    'Stop the server (Ctrl-C, or "systemctl stop lilac"), restore, and start it again.',
  );
}

const DATABASES_STAY =
  'The data of databases is not in a backup of the platform but on its host: start that host first, or run ' +
  '"lilac admin leaders move databases" on it.';

function describe({ createdAt, lilac, rows, objects, previousKeyFile }: RestoreReport, config: Config): string[] {
  return [
    `Restored the backup of ${createdAt}, written by Lilac ${lilac}. ${summariseRows(rows)} Files: ${objects}.`,
    ...(previousKeyFile ? [`The key file as it was before is kept at ${previousKeyFile}.`] : []),
    ...(config.databaseUrl && (rows['databases'] ?? 0) > 0 ? [DATABASES_STAY] : []),
    config.databaseUrl
      ? 'Start the servers that use this store, and restart those that run: edges, and whatever was started meanwhile.'
      : `Start the server: ${settingsPrefix(config)}npm start`,
  ];
}

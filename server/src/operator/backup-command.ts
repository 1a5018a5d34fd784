import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { writeBackup, type BackupReport } from '../backup/write-backup.ts';
import { readVersion } from '../lib/read-version.ts';
import { describeBucket } from '../objects/describe-bucket.ts';
import { formatSize } from './doctor/format-size.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';
import { summariseRows } from './summarise-rows.ts';

export function addBackup(program: Command, context: OperatorContext): void {
  program
    .command('backup')
    .summary('write the whole platform to one file')
    .description(
      'Writes everything in the store, the keys that open it, and the files of every site to one file. ' +
        'Files that are kept in S3 (LILAC_S3_BUCKET) are not in it: the bucket needs a backup of its own. ' +
        'The server may run meanwhile. ' +
        'Whoever reads the file can open every secret of this installation: keep it like a key.',
    )
    .argument('[file]', 'where to; nothing may be there yet (default: lilac-<time>.backup, here)')
    .option('--json', 'print one JSON document')
    .action((file: string | undefined, options: { json?: true }) => run(context, file, options));
}

async function run(context: OperatorContext, file: string | undefined, { json }: { json?: true }): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const path = resolve(file ?? nameFor(installation.clock.now()));
  const keyFile = installation.paths.keyring;
  const { s3 } = installation.config;
  const objects = s3 ? { in: describeBucket(s3) } : installation.objects;
  const report = await writeBackup({ ...installation, objects, keyFile, path, lilacVersion: readVersion() }).catch(
    (error: NodeJS.ErrnoException) => {
      throw explainWriting(error, path);
    },
  );
  for (const key of report.missingKeys) {
    context.terminal.complain(
      `lilac: secrets that were sealed with key ${key} cannot be opened: it is not in the key file.`,
    );
  }
  for (const key of report.objects.missing) {
    context.terminal.complain(`lilac: ${key} is missing in ${installation.paths.objects}: deploy its site again.`);
  }
  for (const key of report.objects.damaged) {
    context.terminal.complain(`lilac: ${key} in ${installation.paths.objects} is damaged: deploy its site again.`);
  }
  const document = { ...report, objectsIn: 'in' in objects ? objects.in : null };
  printResult(context, { isJson: json === true, document, lines: describe(document) });
}

/** The system names the draft, a file that nobody asked for; people gave a folder that will not do. */
function explainWriting(error: NodeJS.ErrnoException, path: string): Error {
  const problem = error.path?.startsWith(path) && problems[error.code ?? ''];
  if (!problem) return error;
  const advice = 'Name a file in a folder that is there and that you may write to.';
  return new OperatorError(`${problem} ${dirname(path)}.`, advice, { cause: error });
}

const problems: Partial<Record<string, string>> = {
  ENOENT: 'There is no folder',
  ENOTDIR: 'There is no folder',
  EACCES: 'You may not write to the folder',
  EPERM: 'You may not write to the folder',
  EROFS: 'Nobody may write to the folder',
};

type Described = BackupReport & { objectsIn: string | null };

function describe({ path, sizeBytes, rows, objects, objectsIn }: Described): string[] {
  const files = objectsIn
    ? `Files are not in it: they stay in ${objectsIn}, which needs a backup of its own.`
    : `Files: ${objects.count} (${formatSize(objects.bytes)}).`;
  return [
    `${path}: ${formatSize(sizeBytes)}. ${summariseRows(rows)} ${files}`,
    'It holds every secret of this installation. Keep it where only you can read it, and not on this machine alone.',
  ];
}

function nameFor(now: Date): string {
  return `lilac-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

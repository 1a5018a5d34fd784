import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { writeBackup, type BackupReport } from '../backup/write-backup.ts';
import { formatSize } from './doctor/format-size.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { summariseRows } from './summarise-rows.ts';

export function addBackup(program: Command, context: OperatorContext): void {
  program
    .command('backup')
    .summary('write the whole control plane to one file')
    .description(
      'Writes everything in the store, and the keys that open it, to one file. The server may run meanwhile. ' +
        'Whoever reads the file can open every secret of this installation: keep it like a key.',
    )
    .argument('[file]', 'where to; nothing may be there yet (default: lilac-<time>.backup, here)')
    .option('--json', 'print one JSON document')
    .action((file: string | undefined, options: { json?: true }) => run(context, file, options));
}

async function run(context: OperatorContext, file: string | undefined, { json }: { json?: true }): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const report = await writeBackup({
    ...installation,
    keyFile: installation.paths.keyring,
    path: resolve(file ?? nameFor(installation.clock.now())),
    lilacVersion: readVersion(),
  });
  for (const key of report.missingKeys) {
    context.terminal.complain(
      `lilac: secrets that were sealed with key ${key} cannot be opened: it is not in the key file.`,
    );
  }
  printResult(context, { isJson: json === true, document: report, lines: describe(report) });
}

function describe({ path, sizeBytes, rows }: BackupReport): string[] {
  return [
    `${path}: ${formatSize(sizeBytes)}. ${summariseRows(rows)}`,
    'It holds every secret of this installation. Keep it where only you can read it, and not on this machine alone.',
  ];
}

function nameFor(now: Date): string {
  return `lilac-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;
}

function readVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

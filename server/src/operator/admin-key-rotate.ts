import type { Command } from 'commander';
import { rotateKey, type RotationReport } from '../secrets/rotate-key.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';

export function addKeyRotate(admin: Command, context: OperatorContext): void {
  admin
    .command('key')
    .description('the key that secrets are sealed with')
    .command('rotate')
    .summary('replace the key that secrets are sealed with')
    .description(
      'Seals every secret in the store with a new key. The server may run; nobody is signed out. ' +
        'A rotation that was cut short is finished by the next.',
    )
    .option('--json', 'print one JSON document')
    .action((options: { json?: true }) => run(context, options));
}

async function run(context: OperatorContext, { json }: { json?: true }): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const report = await rotateKey({ ...installation, keyFile: installation.paths.keyring });
  printResult(context, { isJson: json === true, document: report, lines: describe(report) });
  if (report.unreadable.length > 0) context.exitCode = 1;
}

function describe({ keyId, resumed, rewrapped, dropped, unreadable }: RotationReport): string[] {
  return [
    resumed ? 'Finished a rotation that was cut short.' : 'Made a new key.',
    `${rewrapped} ${rewrapped === 1 ? 'secret is' : 'secrets are'} sealed with key ${keyId} now.`,
    ...(dropped.length > 0 ? [`Old keys that nothing needs any more were removed: ${dropped.join(', ')}.`] : []),
    ...unreadable.map((place) => `Could not be opened with any key of this installation: ${place}.`),
    'Make a backup now: older backups hold the older key.',
  ];
}

import type { Command } from 'commander';
import { renderReport } from './doctor/render-report.ts';
import { runChecks } from './doctor/run-checks.ts';
import { printResult, type OperatorContext } from './operator-context.ts';

export function addDoctor(program: Command, context: OperatorContext): void {
  program
    .command('doctor')
    .summary('tell what this machine offers and what is missing')
    .description(
      'Looks at this machine and this installation, changes nothing, and says what to do about what it finds.',
    )
    .option('--json', 'print one JSON document: ok, checks')
    .action((options: { json?: true }) => run(context, options));
}

async function run(context: OperatorContext, { json }: { json?: true }): Promise<void> {
  const config = context.loadConfig();
  const families = await runChecks({ config, environment: context.environmentOf(config) });
  const checks = families.flatMap((family) => family.checks);
  const isOk = checks.every(({ status }) => status !== 'fail');
  printResult(context, {
    isJson: json === true,
    document: { ok: isOk, checks: checks.map(({ id, status, found, advice }) => ({ id, status, found, advice })) },
    lines: renderReport(families, context.terminal),
  });
  if (!isOk) context.exitCode = 1;
}

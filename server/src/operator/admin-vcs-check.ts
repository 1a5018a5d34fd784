import { gitProviders, type GitProvider } from '@lilac/contract/states';
import { Argument, type Command } from 'commander';
import { hostAddresses } from '../modules/vcs/settings/host-addresses.ts';
import { readHostStates } from '../modules/vcs/settings/read-settings.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { checkConfiguredHost } from './check-configured-host.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';

export function addVcsCheck(vcs: Command, context: OperatorContext): void {
  vcs
    .command('check')
    .summary('ask the hosts whether they know the platform')
    .description(
      'Asks the repository hosts that are set up, or one of them, whether they know the platform by its settings. ' +
        'Needs the network; changes nothing.',
    )
    .addArgument(new Argument('[provider]', 'which host (default: all that are set up)').choices(gitProviders))
    .option('--json', 'print one JSON document')
    .action((provider: GitProvider | undefined, options: { json?: true }) => run(context, provider, options));
}

async function run(
  context: OperatorContext,
  wanted: GitProvider | undefined,
  { json }: { json?: true },
): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { config, store, paths } = installation;
  const states = await readHostStates({ config, store, keyring: openKeyring(paths.keyring) });
  const given = gitProviders.filter((provider) => states[provider].source !== null);
  const providers = wanted ? given.filter((provider) => provider === wanted) : given;
  if (providers.length === 0) {
    throw new OperatorError(
      `${wanted ?? 'No repository host'} is ${wanted ? 'not ' : ''}set up.`,
      'Set it up: lilac admin vcs set …, or lilac admin vcs setup',
    );
  }
  const findings = await Promise.all(
    providers.map(async (provider) => ({ provider, ...(await checkConfiguredHost(config, provider, states)) })),
  );
  printResult(context, {
    isJson: json === true,
    document: findings.map(({ provider, isGood, found }) => ({ provider, ok: isGood, found })),
    lines: findings.map(({ provider, isGood, found }) => {
      const mark = context.terminal.paint(isGood ? 'green' : 'red', isGood ? '✓' : '✗');
      return `${mark} ${provider} (${hostAddresses(config, provider).hostUrl}): ${found}`;
    }),
  });
  if (findings.some(({ isGood }) => !isGood)) context.exitCode = 1;
}

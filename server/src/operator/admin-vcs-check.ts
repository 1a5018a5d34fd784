import { randomBytes } from 'node:crypto';
import { gitProviders, type GitProvider } from '@lilac/contract/states';
import { Argument, type Command } from 'commander';
import type { Config } from '../config.ts';
import { checkHost, type HostCheck, type HostFinding } from '../modules/vcs/settings/check-host.ts';
import { hostAddresses } from '../modules/vcs/settings/host-addresses.ts';
import { readHostStates, type HostStates } from '../modules/vcs/settings/read-settings.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { createBitbucket } from '../vcs/bitbucket/create-bitbucket.ts';
import { createGithub } from '../vcs/github/create-github.ts';
import { readApp } from '../vcs/github/read-app.ts';
import { createGitlab } from '../vcs/gitlab/create-gitlab.ts';
import { createHostFetch } from '../vcs/host-fetch.ts';
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
    providers.map(async (provider) => ({ provider, ...(await check(config, provider, states)) })),
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

async function check(config: Config, provider: GitProvider, states: HostStates): Promise<HostFinding> {
  const { trouble } = states[provider];
  if (trouble !== null) return { isGood: false, found: trouble };
  return await checkHost({
    ...openHost(config, provider, states),
    redirectUrl: hostAddresses(config, provider).callbackUrl,
  });
}

function openHost(config: Config, provider: GitProvider, states: HostStates): Pick<HostCheck, 'host' | 'app'> {
  const fetch = createHostFetch();
  if (provider === 'provider1') {
    const { settings } = states.provider1;
    const host = createGithub({ config, fetch, settings });
    return settings
      ? { host, app: { slug: settings.slug, read: () => readApp({ config, fetch, settings }) } }
      : { host };
  }
  const create = provider === 'provider2' ? createGitlab : createBitbucket;
  // No webhook is read here, so any key will do.
  return { host: create({ config, fetch, settings: states[provider].settings, webhookKey: randomBytes(32) }) };
}

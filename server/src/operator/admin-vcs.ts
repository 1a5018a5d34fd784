import { gitProviders, type GitProvider } from '@lilac/contract/states';
import { Argument, type Command } from 'commander';
import { pathsOf } from '../config.ts';
import { hostAddresses } from '../modules/vcs/settings/host-addresses.ts';
import { readHostStates, usableSettings, type HostStates } from '../modules/vcs/settings/read-settings.ts';
import { removeHostSettings } from '../modules/vcs/settings/save-settings.ts';
import { issueVcsSetupLink } from '../modules/vcs/settings/setup-link.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { addVcsCheck } from './admin-vcs-check.ts';
import { addVcsSet } from './admin-vcs-set.ts';
import { isHeld } from './is-held.ts';
import { openInstallation, type Installation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { OperatorError } from './operator-error.ts';

interface Options {
  json?: true;
}

/** How the platform is known to repository hosts. */
export function addVcs(admin: Command, context: OperatorContext): void {
  const vcs = admin.command('vcs').description('how the platform is known to repository hosts');
  vcs
    .command('show')
    .summary('show which hosts are set up, and what to enter there')
    .description('Shows which repository hosts are set up, and the addresses to enter at each. Never a secret.')
    .addArgument(new Argument('[provider]', 'which host (default: all)').choices(gitProviders))
    .option('--json', 'print one JSON document')
    .action((provider: GitProvider | undefined, options: Options) => show(context, provider, options));
  addVcsSet(vcs, context);
  addVcsCheck(vcs, context);
  vcs
    .command('remove')
    .summary('forget how the platform is known to a host')
    .description(
      'Forgets the settings of a host. Within seconds nothing of it works any more: private repositories, webhooks, ' +
        'linking. What was linked stays, and works again when the host is set up as before.',
    )
    .addArgument(new Argument('<provider>', 'which host').choices(gitProviders))
    .option('--json', 'print one JSON document')
    .action((provider: GitProvider, options: Options) => remove(context, provider, options));
  vcs
    .command('setup')
    .summary('print a link to the page where hosts are set up in a browser')
    .description(
      "Prints a link to the console's page where repository hosts are set up. Whoever has it may do so: it is good " +
        'for an hour, and replaces an earlier one.',
    )
    .option('--json', 'print one JSON document: url, expiresAt')
    .action((options: Options) => setup(context, options));
}

async function show(context: OperatorContext, wanted: GitProvider | undefined, { json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const states = await readHostStates(settingsDeps(installation));
  const providers = wanted ? [wanted] : gitProviders;
  const described = providers.map((provider) => describe(installation, provider, states));
  printResult(context, {
    isJson: json === true,
    document: Object.fromEntries(described.map(({ provider, document }) => [provider, document])),
    lines: described.flatMap(({ lines }) => [...lines, '']).slice(0, -1),
  });
}

async function remove(context: OperatorContext, provider: GitProvider, { json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  if (!(await removeHostSettings(settingsDeps(installation), provider))) {
    throw new OperatorError(`${provider} is not set up.`, '"lilac admin vcs show" tells which hosts are.');
  }
  printResult(context, {
    isJson: json === true,
    document: { provider },
    lines: [
      `${provider} is no longer set up here. Remove the app or client at the host too, if nothing else needs it.`,
    ],
  });
}

async function setup(context: OperatorContext, { json }: Options): Promise<void> {
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const { url, expiresAt } = await issueVcsSetupLink(installation);
  const isRunning = isHeld(pathsOf(installation.config).supervisorLock);
  printResult(context, {
    isJson: json === true,
    document: { url, expiresAt: expiresAt.toISOString() },
    lines: [
      'Set up repository hosts here, within the hour:',
      url,
      ...(isRunning ? [] : ['', 'The server does not run: start it first.']),
    ],
  });
}

function settingsDeps({ config, store, paths }: Installation) {
  return { config, store, keyring: openKeyring(paths.keyring) };
}

/** What an operator may read and must enter at the host; the secrets are in neither. */
function describe({ config }: Installation, provider: GitProvider, states: HostStates) {
  const state = states[provider];
  const { isEnabled: enabled, source, trouble } = state;
  const addresses = hostAddresses(config, provider);
  const app = provider === 'provider1' ? states.provider1.settings : null;
  const names = {
    ...(app && { appId: app.appId, slug: app.slug }),
    ...(state.settings && { clientId: state.settings.clientId }),
  };
  const origin = source === 'file' ? ', by the file of LILAC_VCS_APPS_FILE' : '';
  const known = app
    ? ` as the app ${app.slug} (id ${app.appId})`
    : state.settings
      ? ` as ${state.settings.clientId}`
      : '';
  const standing = trouble ? 'not usable' : state.settings ? `set up${known}${origin}` : 'not set up';
  const off = enabled ? '' : ', and switched off by LILAC_FEATURE_FLAGS';
  return {
    provider,
    document: { configured: usableSettings(state) !== null, enabled, source, trouble, ...names, ...addresses },
    lines: [
      `${provider}  ${addresses.hostUrl}: ${standing}${off}`,
      ...(trouble ? [`  ${trouble}`] : []),
      `  callback URL  ${addresses.callbackUrl}`,
      provider === 'provider1'
        ? `  webhook URL   ${addresses.webhookUrl}`
        : '  webhooks are made by Lilac itself, in each repository',
    ],
  };
}

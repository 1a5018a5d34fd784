import { gitProviders, type GitProvider } from '@lilac/contract/states';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import type { AppSettings } from '../vcs/vcs-host.ts';
import { hostAddresses } from '../modules/vcs/settings/host-addresses.ts';
import { readHostStates, type SettingsDeps } from '../modules/vcs/settings/read-settings.ts';
import { newWebhookSecret, saveHostSettings } from '../modules/vcs/settings/save-settings.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { openInstallation } from './open-installation.ts';
import { printResult, type OperatorContext } from './operator-context.ts';
import { readSecret } from './read-secret.ts';

interface Options {
  appId?: number;
  slug?: string;
  clientId?: string;
  clientSecretFile?: string;
  privateKeyFile?: string;
  webhookSecretFile?: string;
  json?: true;
}

const FILE = 'a file that holds it, or - for standard input';

export function addVcsSet(vcs: Command, context: OperatorContext): void {
  vcs
    .command('set')
    .summary('tell how the platform is known to a host')
    .description(
      'Keeps how the platform is known to a repository host, in place of what there was. provider1 needs an app: all ' +
        'options but --webhook-secret-file. provider2 and provider3 need --client-id and --client-secret-file only. ' +
        'The running server follows within seconds.',
    )
    .addArgument(new Argument('<provider>', 'which host').choices(gitProviders))
    .option('--app-id <number>', "the app's id (provider1)", readAppId)
    .option('--slug <name>', "the app's name as in the address of its page (provider1)")
    .option('--client-id <id>', 'the client id')
    .option('--client-secret-file <path>', `the client secret: ${FILE}`)
    .option('--private-key-file <path>', `the app's private key, PEM (provider1): ${FILE}`)
    .option(
      '--webhook-secret-file <path>',
      `the app's webhook secret (provider1): ${FILE}; left out, the one there is stays, or one is made and printed`,
    )
    .option('--json', 'print one JSON document')
    .action((provider: GitProvider, options: Options, command: Command) => {
      const { clientId, clientSecretFile } = options;
      // Commander would ask for these before it looks at the provider, which decides what else is needed.
      if (clientId === undefined) return lacking(command, '--client-id');
      if (clientSecretFile === undefined) return lacking(command, '--client-secret-file');
      return run(context, provider, { options: { ...options, clientId, clientSecretFile }, command });
    });
}

function lacking(command: Command, option: string): never {
  command.error(`error: required option '${option}' not specified`);
}

type Complete = Options & Required<Pick<Options, 'clientId' | 'clientSecretFile'>>;

async function run(
  context: OperatorContext,
  provider: GitProvider,
  { options, command }: { options: Complete; command: Command },
): Promise<void> {
  const fromInput = [options.clientSecretFile, options.privateKeyFile, options.webhookSecretFile];
  if (fromInput.filter((path) => path === '-').length > 1) {
    command.error('error: only one secret can come from standard input; give the others as files');
  }
  const given = await readGiven(context, options);
  await using installation = await openInstallation(context.loadConfig(), { mayCreate: false });
  const deps = { ...installation, keyring: openKeyring(installation.paths.keyring) };
  const webhookSecret =
    provider === 'provider1' && given.webhookSecret === undefined
      ? await keptOrNewSecret(deps, given.appId)
      : { value: given.webhookSecret, isNew: false };
  await saveHostSettings(deps, provider, {
    ...given,
    ...(webhookSecret.value && { webhookSecret: webhookSecret.value }),
  });
  const { webhookUrl } = hostAddresses(installation.config, provider);
  printResult(context, {
    isJson: options.json === true,
    document: { provider, ...(webhookSecret.isNew && { webhookSecret: webhookSecret.value }) },
    lines: [
      `${provider} is set up as ${options.slug ?? options.clientId}. To ask the host whether it agrees: lilac admin vcs check ${provider}`,
      ...(webhookSecret.isNew
        ? [
            '',
            `Enter this webhook secret at the host, beside ${webhookUrl}; it is not shown again:`,
            webhookSecret.value!,
          ]
        : []),
    ],
  });
}

/** What was left out is left out here too: what a host needs is one rule, told in one place. */
async function readGiven(context: OperatorContext, options: Complete) {
  const { appId, slug, clientId, clientSecretFile, privateKeyFile, webhookSecretFile } = options;
  const read = (option: string, path: string) => readSecret(context, { option, path });
  return {
    clientId,
    clientSecret: await read('--client-secret-file', clientSecretFile),
    ...(appId !== undefined && { appId }),
    ...(slug !== undefined && { slug }),
    ...(privateKeyFile !== undefined && { privateKey: await read('--private-key-file', privateKeyFile) }),
    ...(webhookSecretFile !== undefined && { webhookSecret: await read('--webhook-secret-file', webhookSecretFile) }),
  } satisfies Partial<AppSettings>;
}

/** Whoever only changes the key of the same app keeps its webhooks. */
async function keptOrNewSecret(deps: SettingsDeps, appId: number | undefined) {
  const { settings } = (await readHostStates(deps)).provider1;
  const kept = settings !== null && settings.appId === appId ? settings.webhookSecret : null;
  return kept === null ? { value: newWebhookSecret(), isNew: true } : { value: kept, isNew: false };
}

function readAppId(text: string): number {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (id < 1) throw new InvalidArgumentError('It must be a number, as the host shows it on the page of the app.');
  return id;
}

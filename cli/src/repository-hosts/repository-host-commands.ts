import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import { askForName, yesFlag } from '../frame/ask-for-name.ts';
import { type Flag, switchFlag } from '../frame/flag.ts';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandOutcome, CommandRun, OwnCommand } from '../frame/own-command.ts';
import { plainText } from '../terminal/printable.ts';

const usual = { part: 'body', isNullable: false, choices: [] } as const;

const wait = switchFlag('wait', 'go on until it is linked or refused');

const installation: Flag = {
  ...usual,
  key: 'installation',
  name: 'installation',
  kind: 'text',
  isRequired: true,
  isPositional: true,
  description: 'its id, or the name of its account at the host',
};

type Connected = 'provider2' | 'provider3';

/** What leads to a host and back, and what names an installation. */
export const repositoryHostCommands: readonly OwnCommand[] = [
  {
    words: ['vcs', 'install'],
    summary: 'Get the address where a person installs the app',
    description:
      'Needs a session token. The host sends the browser back, and the installation is linked to the organisation. ' +
      'The address is good for an hour and for one installation.',
    endpoint: 'vcs-app.install',
    arguments: [],
    flags: [wait],
    run: (run) => leadToHost(run, 'vcs-app'),
  },
  connectCommand('provider2'),
  connectCommand('provider3'),
  {
    words: ['vcs', 'link'],
    summary: 'Let the organisation use an installation that is there already',
    description:
      'Needs a session token. You must administer the account it belongs to: the host is asked. ' +
      '"lilac vcs visible-installations" lists those you see.',
    endpoint: 'vcs-app.link-installation',
    arguments: [],
    flags: [installation],
    run: link,
  },
  {
    words: ['vcs', 'unlink'],
    summary: 'Stop the organisation from using an installation; at the host it stays',
    description: '"lilac vcs installations" lists those that are linked.',
    endpoint: 'vcs-app.unlink-installation',
    arguments: [],
    flags: [installation],
    run: unlink,
  },
  {
    words: ['vcs', 'uninstall'],
    summary: 'Remove the app from the account at the host',
    description:
      'Asks for the name of the account first, unless --yes is given. Needs a session token. Every organisation that it is ' +
      'linked to loses it. You must administer the account: the host is asked.',
    endpoint: 'vcs-app.uninstall',
    arguments: [],
    flags: [installation, yesFlag],
    run: uninstall,
  },
];

function connectCommand(provider: Connected): OwnCommand {
  return {
    words: [provider, 'connect'],
    summary: 'Get the address where a person lets the platform in',
    description:
      'Needs a session token. The host sends the browser back, and the connection is linked to the organisation. ' +
      'The address is good for an hour.',
    endpoint: `${provider}.connect`,
    arguments: [],
    flags: [wait],
    run: (run) => leadToHost(run, provider),
  };
}

async function leadToHost(run: CommandRun, host: 'vcs-app' | Connected): Promise<CommandOutcome | null> {
  const query = run.organisationId === undefined ? {} : { organisationId: run.organisationId };
  const begin = host === 'vcs-app' ? 'vcs-app.install' : (`${host}.connect` as const);
  const answer = await run.client.call(begin, { query });
  if (run.isJson && !run.body.wait) return { answer, note: '' };
  const list = host === 'vcs-app' ? 'lilac vcs installations' : `lilac ${host} connections`;
  const then = run.body.wait ? '' : `Come back here when the browser says that it is linked: ${list}\n`;
  const words = `Open this address in a browser; it is good for an hour:\n\n${plainText(answer.url)}\n\n${then}`;
  if (!run.body.wait) {
    await run.print(words);
    return null;
  }
  // What it waits for is the answer; the address only leads there.
  run.complain(words);
  const { accountLogin, ...linked } = await followToTheEnd(run, host);
  return {
    answer: { accountLogin, ...linked },
    note: `The organisation can use its repositories now: lilac ${host === 'vcs-app' ? 'vcs' : host} repos`,
  };
}

async function followToTheEnd({ client, complain, signal, ...run }: CommandRun, host: 'vcs-app' | Connected) {
  const params = { organisationId: run.organisationId ?? OWN_ORGANISATION };
  for await (const { event, data } of client.stream(`${host}.stream`, { params, signal })) {
    if (event === 'linked') return data;
    if (data.status === 'confirm') complain('Waiting: sign in on the page that opened, and say yes.\n');
    if (data.status === 'refused') throw new GaveUp(plainText(data.message ?? 'It was refused. Begin again.'));
    if (data.status === 'requested') {
      throw new GaveUp('An owner of the account must approve it at the host. Begin again when they have.');
    }
  }
  throw new GaveUp('Stopped waiting. The address stays good for its hour.');
}

interface Named {
  installationId: number;
  accountLogin: string;
}

const organisationOf = ({ organisationId = OWN_ORGANISATION }: CommandRun) => organisationId;

const listLinked = (run: CommandRun): Promise<Named[]> =>
  run.client.call('vcs-app.organisation-installations', { params: { orgId: organisationOf(run) } });

/** An id is taken as it is: whether it is there, the platform says. */
async function idOf({ body }: CommandRun, list: () => Promise<Named[]>, command: string): Promise<number> {
  const given = String(body.installation);
  if (/^\d+$/.test(given)) return Number(given);
  const found = (await list()).filter(({ accountLogin }) => accountLogin.toLowerCase() === given.toLowerCase());
  if (found.length === 1) return found[0]!.installationId;
  throw new GaveUp(`There is no installation of "${given}". "${command}" lists those there are.`);
}

async function link(run: CommandRun): Promise<CommandOutcome> {
  const list = () => run.client.call('vcs-app.installations');
  const installationId = await idOf(run, list, 'lilac vcs visible-installations');
  const params = { orgId: organisationOf(run) };
  const answer = await run.client.call('vcs-app.link-installation', { params, body: { installationId } });
  return { answer, note: 'The organisation can use its repositories now: lilac vcs repos' };
}

const idOfLinked = (run: CommandRun) => idOf(run, () => listLinked(run), 'lilac vcs installations');

async function unlink(run: CommandRun): Promise<CommandOutcome> {
  const params = { orgId: organisationOf(run), installId: await idOfLinked(run) };
  return { answer: await run.client.call('vcs-app.unlink-installation', { params }), note: '' };
}

async function uninstall(run: CommandRun): Promise<CommandOutcome> {
  const consequence = 'for every organisation that uses it';
  if (run.body.yes !== true) {
    await askForName(run, {
      refusal: `This removes the app from the account at the host, ${consequence}.`,
      read: async () => {
        const id = await idOfLinked(run);
        const name = (await listLinked(run)).find(({ installationId }) => installationId === id)?.accountLogin;
        if (name === undefined) {
          throw new GaveUp(`Installation ${id} is not linked to this organisation. Nothing was removed.`);
        }
        const warning = `This removes the app from ${plainText(name)} at the host, ${consequence}.`;
        return { warning, name, otherwise: 'Nothing was removed.' };
      },
    });
  }
  const params = { orgId: organisationOf(run), installId: await idOfLinked(run) };
  return { answer: await run.client.call('vcs-app.uninstall', { params }), note: '' };
}

import { askForName, yesFlag } from '../frame/ask-for-name.ts';
import type { CommandOutcome, CommandRun, OwnCommand } from '../frame/own-command.ts';
import { plainText } from '../terminal/printable.ts';

const ASKS = 'Asks for its name first, unless --yes is given; where nobody can be asked, --yes is needed.';

/** What no command brings back: whoever deletes it says so twice. */
export const deletionCommands: readonly OwnCommand[] = [
  {
    words: ['apps', 'delete'],
    summary: 'Delete an application with every environment; it cannot be undone',
    description: `${ASKS} Its addresses stop at once; it is shown as deleting until everything of it is gone.`,
    endpoint: 'applications.delete',
    arguments: ['applicationId'],
    flags: [yesFlag],
    run: deleteApplication,
  },
  {
    words: ['envs', 'delete'],
    summary: 'Delete an environment; production goes only with its application',
    description: ASKS,
    endpoint: 'environments.delete',
    arguments: ['environmentId'],
    flags: [yesFlag],
    run: deleteEnvironment,
  },
];

const otherwise = 'Nothing was deleted.';

async function deleteApplication(run: CommandRun): Promise<CommandOutcome> {
  const { yes: isSure, ...rest } = run.body;
  const body = rest as { applicationId: string; targetOrganisationId?: string };
  if (isSure !== true) {
    await askForName(run, {
      refusal: 'This deletes the application with every environment, for good.',
      read: async () => {
        const { name, url } = await run.client.call('applications.get', { body });
        const warning = `This deletes ${plainText(name)} (${plainText(url)}) with every environment, for good.`;
        return { warning, name, otherwise };
      },
    });
  }
  return { answer: await run.client.call('applications.delete', { body }), note: '' };
}

async function deleteEnvironment(run: CommandRun): Promise<CommandOutcome> {
  const { yes: isSure, ...rest } = run.body;
  const body = rest as { environmentId: string; targetOrganisationId?: string };
  if (isSure !== true) {
    await askForName(run, {
      refusal: 'This deletes the environment, for good.',
      read: async () => {
        const { name, url } = await run.client.call('environments.get', { body });
        return { warning: `This deletes ${plainText(name)} (${plainText(url)}), for good.`, name, otherwise };
      },
    });
  }
  return { answer: await run.client.call('environments.delete', { body }), note: '' };
}

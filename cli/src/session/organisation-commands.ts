import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { UsageError } from '../frame/usage-error.ts';
import { plainText } from '../terminal/printable.ts';
import { renderAnswer } from '../terminal/render.ts';
import { findOrganisation, organisationNamed } from './choose-organisation.ts';
import { StoredPlatforms } from './stored-platforms.ts';

export const organisationCommands: readonly OwnCommand[] = [
  {
    words: ['orgs', 'list'],
    summary: 'List your organisations',
    description: 'The one that commands are about when nothing else is said is marked.',
    endpoint: 'auth.profile',
    arguments: [],
    run: list,
  },
  {
    words: ['orgs', 'use'],
    summary: 'Choose the organisation that commands are about',
    description: 'Remembered for this platform. --org and the folder you are in (lilac.json) count more.',
    endpoint: 'auth.profile',
    arguments: [],
    flags: [
      {
        part: 'body',
        key: 'organisation',
        name: 'organisation',
        kind: 'text',
        isRequired: true,
        isPositional: true,
        isNullable: false,
        choices: [],
        description: 'its id, slug or name',
      },
    ],
    run: use,
  },
];

async function list(run: CommandRun): Promise<null> {
  const { client, isJson, paper, print } = run;
  const { organisations } = await client.call('auth.profile');
  if (isJson) return (await print(`${JSON.stringify(organisations, null, 2)}\n`), null);
  const used = await usedOne(run);
  const rows = organisations.map(({ id, name, slug, role, plan }) => ({
    name,
    slug,
    role,
    plan,
    id,
    used: id === used ? 'yes' : '',
  }));
  await print(`${renderAnswer(rows, paper)}\n`);
  return null;
}

async function usedOne(run: CommandRun): Promise<string | undefined> {
  try {
    return (await findOrganisation(run, run.client)).id;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function use(run: CommandRun): Promise<null> {
  const { client, body, settings, platform, link, isJson, print, complain } = run;
  const id = await organisationNamed(body.organisation as string, { lilac: client, isKey: false });
  const { organisations } = await client.call('auth.profile');
  const chosen = organisations.find((each) => each.id === id);
  if (!chosen) throw new UsageError(`You belong to no organisation "${id}". "lilac orgs list" shows yours.`);
  await new StoredPlatforms(settings.configFolder).chooseOrganisation(platform.apiUrl, id);
  const answer = { apiUrl: platform.apiUrl, organisation: chosen };
  await print(
    isJson
      ? `${JSON.stringify(answer, null, 2)}\n`
      : `Commands at ${platform.apiUrl} are now about ${plainText(chosen.name)}.\n`,
  );
  if (settings.token) complain('LILAC_TOKEN is set: as long as it is, this choice does not count.\n');
  else if (link?.link.apiUrl === platform.apiUrl && ![undefined, id].includes(link.link.organisationId)) {
    complain(`Here ${link.file} names another one, and counts more.\n`);
  }
  return null;
}

import type { Output } from '@lilac/sdk';
import type { Context } from '../frame/context.ts';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { UsageError } from '../frame/usage-error.ts';
import { plainText } from '../terminal/printable.ts';
import { alignColumns } from '../terminal/table.ts';
import { findOrganisation, type ChosenOrganisation } from './choose-organisation.ts';

type Profile = Output<'auth.profile'>;

export const whoamiCommand: OwnCommand = {
  words: ['whoami'],
  summary: 'Show who you are, on which platform, in which organisation',
  description: 'And how each of them was chosen.',
  endpoint: 'auth.profile',
  arguments: [],
  run: whoami,
};

async function whoami(run: CommandRun): Promise<null> {
  const { settings, platform, client, isJson, print } = run;
  if (settings.token?.startsWith('lc_')) return await showKey(run);
  const profile = await client.call('auth.profile');
  const chosen = await organisationOf(run, profile);
  const credential = settings.token ? 'token' : 'session';
  const answer = { ...profile, credential, platform, organisation: chosen };
  await print(isJson ? `${JSON.stringify(answer, null, 2)}\n` : describe(run, profile, chosen));
  return null;
}

/** A key may not ask for the person behind it; that it is taken is what there is to tell. */
async function showKey({ client, platform, link, isJson, print }: CommandRun): Promise<null> {
  await client.call('applications.list', { body: { limit: 1 } });
  const rows = [
    ['You are:', 'an API key, from LILAC_TOKEN'],
    ['Platform:', platformWords({ platform, link })],
    ['Organisation:', "the key's own"],
  ];
  await print(isJson ? `${JSON.stringify({ credential: 'key', platform }, null, 2)}\n` : `${alignColumns(rows)}\n`);
  return null;
}

type Chosen = Profile['organisations'][number] & Pick<ChosenOrganisation, 'from'>;

/** Null where none is chosen, or one that the person does not belong to. */
async function organisationOf(run: CommandRun, { organisations }: Profile): Promise<Chosen | null> {
  const asked = { call: (async () => ({ organisations })) as unknown as CommandRun['client']['call'] };
  try {
    const { id, from } = await findOrganisation(run, asked);
    const found = organisations.find((each) => each.id === id);
    if (!found && from === 'flag') throw new GaveUp(`You belong to no organisation ${id}.`);
    return found ? { ...found, from } : null;
  } catch (error) {
    if (run.flags.organisation === undefined && error instanceof UsageError) return null;
    throw error;
  }
}

function describe(context: CommandRun, { first_name, email, organisations }: Profile, chosen: Chosen | null): string {
  const others = organisations
    .filter(({ id }) => id !== chosen?.id)
    .map(({ name, slug }) => `${plainText(name)} (${slug})`);
  const how = context.settings.token ? 'from LILAC_TOKEN' : 'signed in';
  const rows = [
    ['You are:', `${plainText(first_name)} (${plainText(email)}), ${how}`],
    ['Platform:', platformWords(context)],
    ['Organisation:', chosen ? organisationWords(chosen, context) : 'none is chosen: "lilac orgs use <name>"'],
    ...others.map((name, index) => [index === 0 ? 'Others:' : '', name]),
  ];
  return `${alignColumns(rows)}\n`;
}

function platformWords({ platform: { apiUrl, from }, link }: Pick<Context, 'platform' | 'link'>): string {
  const words = {
    flag: '--api-url',
    setting: 'LILAC_API_URL',
    link: link?.file ?? '',
    login: 'the last login',
    default: 'this machine',
  };
  return `${apiUrl} (${words[from]})`;
}

function organisationWords({ name, slug, role, plan, from }: Chosen, { link }: Context): string {
  const words = {
    flag: '--org',
    key: 'the key',
    link: link?.file ?? '',
    preference: 'lilac orgs use',
    only: 'your only one',
  };
  return `${plainText(name)} (${slug}), ${role}, ${plan} plan (${words[from]})`;
}

import { createClient, type Client } from '@lilac/contract/client';
import { commandHelp } from './help.ts';
import type { Command } from './command.ts';
import { parseArguments, type Arguments } from './parse-arguments.ts';
import { notes, presentForPeople } from './present.ts';
import { renderAnswer, type Paper } from './render.ts';
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';

/** Calls the endpoint of a command; answers the text to print. */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  { settings, paper }: { settings: Settings; paper: Paper },
): Promise<string> {
  const given = parseArguments(command, argv);
  if (given.wantsHelp) return commandHelp(command);
  const client = createClient({
    baseUrl: settings.apiUrl,
    token: settings.token,
    headers: { 'x-client-type': 'cli' },
  });
  await fillOrganisation(client, command, { given, token: settings.token });
  const answer = await client.call(command.endpoint, given.input as never);
  if (given.isJson) return `${JSON.stringify(answer, null, 2)}\n`;
  const note = notes[command.endpoint];
  const text = renderAnswer(presentForPeople(command.endpoint, answer, new Date()), paper);
  return note ? `${text}\n\n${note}\n` : `${text}\n`;
}

/** A person of one organisation need not name it; a key knows its own. */
async function fillOrganisation(
  client: Client,
  { organisation }: Command,
  { given, token }: { given: Arguments; token: string | undefined },
): Promise<void> {
  if (!organisation || given.organisation || !token || token.startsWith('lc_')) return;
  const { organisations } = await client.call('auth.profile');
  const [only, ...others] = organisations;
  if (!only) throw new UsageError('You belong to no organisation; "lilac orgs create <name>" makes one.');
  if (others.length > 0) {
    const list = organisations.map(({ id, name }) => `\n  --org ${id}   ${name}`).join('');
    throw new UsageError(`You belong to several organisations; say which one:${list}`);
  }
  (given.input[organisation.part] ??= {})[organisation.key] = only.id;
}

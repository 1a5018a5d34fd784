import { createClient, type Client } from '@lilac/contract/client';
import { declarationOf } from '@lilac/contract/endpoints';
import { toInputSchema } from '@lilac/contract/json-schema';
import { asOf } from '@lilac/contract/response-headers';
import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import type { Command } from './command.ts';
import { hintOnPushes } from '../repository-hosts/follow-pushes.ts';
import { commandHelp } from './help.ts';
import type { Input } from './input.ts';
import type { CommandOutcome } from './own-command.ts';
import { parseArguments, type Arguments } from './parse-arguments.ts';
import { preparations } from './prepare-call.ts';
import { notes, presentForPeople } from '../terminal/present.ts';
import { plainText } from '../terminal/printable.ts';
import { databaseTexts } from '../databases/render-databases.ts';
import { repositoryHostTexts } from '../repository-hosts/render-repository-hosts.ts';
import { renderAnswer, type Paper } from '../terminal/render.ts';
import { hintAfter } from '../repository-hosts/repository-host-hints.ts';
import type { Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';

export interface CommandSurroundings {
  settings: Settings;
  paper: Paper;
  isTerminal: boolean;
  input: Input;
  print: (text: string) => unknown;
  complain: (text: string) => void;
  signal: AbortSignal | undefined;
}

/** Does what a command says; answers the text to print. */
export async function runCommand(
  command: Command,
  argv: readonly string[],
  surroundings: CommandSurroundings,
): Promise<string> {
  const given = parseArguments(command, argv);
  if (given.wantsHelp) return commandHelp(command, surroundings.paper.width);
  const { settings, paper } = surroundings;
  const client = createClient({
    baseUrl: settings.apiUrl,
    token: settings.token,
    headers: { 'x-client-type': 'cli' },
  });
  await fillOrganisation(client, command, { given, token: settings.token });
  if (!command.own) return callEndpoint(command, { client, given, surroundings });
  const { isJson, words } = given;
  const body = given.input.body ?? {};
  const organisationId = organisationIn(command, given);
  const outcome = await command.own.run({ ...surroundings, client, body, organisationId, words, isJson });
  if (!outcome) return '';
  return isJson ? asJson(outcome.answer) : outcomeForPeople(outcome, paper);
}

async function callEndpoint(
  { endpoint }: Command,
  { client, given, surroundings }: { client: Client; given: Arguments; surroundings: CommandSurroundings },
): Promise<string> {
  const { paper, input, complain, signal } = surroundings;
  const body = given.input.body ?? {};
  await preparations[endpoint]?.({ client, body: (given.input.body = body), input, complain });
  const onHeaders = (headers: Headers) => warnOfAge(headers, complain);
  const answer = await client.call(endpoint, { ...given.input, onHeaders } as never);
  const onPushes = () => hintOnPushes(endpoint, { client, body, answer, signal });
  if (given.isJson) return withHint(surroundings, asJson(answer), onPushes);
  const text = { ...databaseTexts, ...repositoryHostTexts }[endpoint] as
    | ((answer: unknown, paper: Paper) => string)
    | undefined;
  if (text) return `${text(answer, paper)}\n`;
  const shape = toInputSchema(declarationOf(endpoint).output);
  const shown = withNote(renderAnswer(presentForPeople(endpoint, answer, new Date()), paper, shape), notes[endpoint]);
  return withHint(surroundings, shown, async () => hintAfter(endpoint, answer) ?? (await onPushes()));
}

/** On the side, and after the answer, which need not wait for it. */
async function withHint(
  { print, complain }: CommandSurroundings,
  shown: string,
  find: () => Promise<string | null>,
): Promise<string> {
  await print(shown);
  const hint = await find();
  if (hint) complain(`${hint}\n`);
  return '';
}

/** On the side, also of JSON: programs that read the list should not choke on it, nor people miss it. */
function warnOfAge(headers: Headers, complain: (text: string) => void): void {
  const readAt = headers.get(asOf.name);
  if (readAt !== null) complain(`The host does not answer. This is what it said at ${plainText(readAt)}.\n`);
}

function outcomeForPeople({ answer, note }: CommandOutcome, paper: Paper): string {
  const shown = Object.entries(answer).filter(([, value]) => !isEmpty(value));
  return withNote(renderAnswer(Object.fromEntries(shown), paper), note);
}

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
const asJson = (answer: unknown) => `${JSON.stringify(answer, null, 2)}\n`;
const withNote = (text: string, note?: string) => (note ? `${text}\n\n${note}\n` : `${text}\n`);

function organisationIn({ organisation }: Command, { input }: Arguments): string | undefined {
  return organisation ? (input[organisation.part]?.[organisation.key] as string | undefined) : undefined;
}

/** A person of one organisation need not name it; a key knows its own. */
async function fillOrganisation(
  client: Client,
  { organisation }: Command,
  { given, token }: { given: Arguments; token: string | undefined },
): Promise<void> {
  if (!organisation || given.organisation || !token) return;
  if (token.startsWith('lc_')) {
    // In a path something must stand for it.
    if (organisation.part === 'params') (given.input.params ??= {})[organisation.key] = OWN_ORGANISATION;
    return;
  }
  const { organisations } = await client.call('auth.profile');
  const [only, ...others] = organisations;
  if (!only) throw new UsageError('You belong to no organisation; "lilac orgs create <name>" makes one.');
  if (others.length > 0) {
    const list = organisations.map(({ id, name }) => `\n  --org ${id}   ${name}`).join('');
    throw new UsageError(`You belong to several organisations; say which one:${list}`);
  }
  (given.input[organisation.part] ??= {})[organisation.key] = only.id;
}

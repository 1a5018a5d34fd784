import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import { toInputSchema } from '@lilac/contract/json-schema';
import { asOf, partial } from '@lilac/contract/response-headers';
import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import type { Lilac } from '@lilac/sdk';
import type { Command } from './command.ts';
import type { Context } from './context.ts';
import { hintOnPushes } from '../repository-hosts/follow-pushes.ts';
import type { CommandOutcome } from './own-command.ts';
import type { Arguments } from './parse-arguments.ts';
import { preparations } from './prepare-call.ts';
import { notes, presentForPeople } from '../terminal/present.ts';
import { plainText } from '../terminal/printable.ts';
import { databaseTexts } from '../databases/render-databases.ts';
import { repositoryHostTexts } from '../repository-hosts/render-repository-hosts.ts';
import { renderAnswer, type Paper } from '../terminal/render.ts';
import { hintAfter } from '../repository-hosts/repository-host-hints.ts';
import { nameTargets } from '../link/name-targets.ts';
import { chooseOrganisation } from '../session/choose-organisation.ts';
import { UsageError } from './usage-error.ts';
import { openLilac, openLilacForAnybody } from '../session/open-lilac.ts';

export interface CommandSurroundings extends Context {
  paper: Paper;
}

/** Does what a command says; answers the text to print. */
export async function runCommand(
  command: Command,
  given: Arguments,
  surroundings: CommandSurroundings,
): Promise<string> {
  const client = await openFor(command, surroundings);
  if (needsOrganisation(command)) await fillOrganisation(command, given, { context: surroundings, client });
  await nameTargets(command, given, { context: surroundings, lilac: client });
  if (!command.own) return callEndpoint(command.endpoint!, { client, given, surroundings });
  const { isJson, words } = given;
  const body = given.input.body ?? {};
  const organisationId = organisationIn(command, given);
  const outcome = await command.own.run({ ...surroundings, client, body, organisationId, words });
  if (!outcome) return '';
  return isJson ? asJson(outcome.answer) : outcomeForPeople(outcome, surroundings.paper);
}

/** Whoever is known is asked as; where somebody has to be, nobody is told at once what to do. */
async function openFor({ endpoint, own }: Command, context: Context): Promise<Lilac> {
  const isForAnybody = endpoint === null || declarationOf(endpoint).credential === 'none';
  const options = { retryForMs: own?.retryForMs ?? 0 };
  return isForAnybody ? await openLilacForAnybody(context, options) : await openLilac(context, options);
}

const needsOrganisation = ({ organisation, own }: Command) => organisation !== null && !own?.choosesOrganisation;

async function callEndpoint(
  endpoint: EndpointName,
  { client, given, surroundings }: { client: Lilac; given: Arguments; surroundings: CommandSurroundings },
): Promise<string> {
  const { paper, input, complain, signal } = surroundings;
  const body = given.input.body ?? {};
  await preparations[endpoint]?.({ client, body: (given.input.body = body), input, complain });
  let isPartial = false;
  const onHeaders = (headers: Headers) => {
    isPartial = headers.has(partial.name);
    warnOfLimits(headers, complain);
  };
  const answer = await client.call(endpoint, { ...given.input, onHeaders } as never);
  const onPushes = () => hintOnPushes(endpoint, { client, body, answer, signal });
  if (given.isJson) return withHint(surroundings, asJson(answer), onPushes);
  const text = { ...databaseTexts, ...repositoryHostTexts }[endpoint] as
    | ((answer: unknown, paper: Paper) => string)
    | undefined;
  if (text) return `${text(answer, paper)}\n`;
  const shape = toInputSchema(declarationOf(endpoint).output);
  const shown = withNote(renderAnswer(presentForPeople(endpoint, answer, new Date()), paper, shape), notes[endpoint]);
  return withHint(surroundings, shown, async () => hintAfter(endpoint, answer, { isPartial }) ?? (await onPushes()));
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
function warnOfLimits(headers: Headers, complain: (text: string) => void): void {
  const readAt = headers.get(asOf.name);
  if (readAt !== null) complain(`The host does not answer. This is what it said at ${plainText(readAt)}.\n`);
  const missing = headers.get(partial.name)?.split(',').map(decodeURIComponent).join(', ');
  if (missing) complain(`What ${plainText(missing)} reaches is missing here: the host did not give it.\n`);
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

/** A key knows its own; in a path something must stand for it. */
async function fillOrganisation(
  { endpoint, organisation }: Command,
  given: Arguments,
  { context, client }: { context: Context; client: Lilac },
): Promise<void> {
  const { part, key } = organisation!;
  // What cannot be taken back is not left to whichever organisation happens to be chosen.
  if (endpoint === 'organisations.delete' && context.flags.organisation === undefined) {
    throw new UsageError('Say which organisation is to be deleted, with --org.');
  }
  const id = (await chooseOrganisation(context, client)) ?? (part === 'params' ? OWN_ORGANISATION : undefined);
  if (id !== undefined) (given.input[part] ??= {})[key] = id;
}

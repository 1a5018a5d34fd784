import { relative } from 'node:path';
import type { Item } from '@lilac/sdk';
import type { CommandRun } from '../frame/own-command.ts';
import { UsageError } from '../frame/usage-error.ts';
import { chooseOrganisation } from '../session/choose-organisation.ts';
import { canAsk, pick } from '../terminal/ask.ts';
import { plainText } from '../terminal/printable.ts';
import { LINK_FILE, writeLink } from './link.ts';
import { resolveEnvironment } from './resolve-target.ts';

/** What people can look over; who has more names it. */
const MOST_CHOICES = 30;

export async function linkFolder(run: CommandRun): Promise<null> {
  const named = run.body.app as string | undefined;
  await linkTo(run, named ?? (await pickApplication(run)));
  return null;
}

/** Answers after lilac.json is written, and said so. */
export async function linkTo(run: CommandRun, named: string): Promise<void> {
  const { client, platform, cwd, isJson, print } = run;
  const { organisationId, applicationId, environmentId } = await resolveEnvironment(run, client, named);
  const own = { targetOrganisationId: organisationId };
  const environment = await client.call('environments.get', { body: { ...own, environmentId } });
  const application = await client.call('applications.get', { body: { ...own, applicationId } });
  const link = {
    apiUrl: platform.apiUrl,
    organisationId,
    applicationId,
    environmentId,
  };
  writeLink(cwd, link);
  if (isJson) return void (await print(`${JSON.stringify(link, null, 2)}\n`));
  const what = `${plainText(application.name)} (${plainText(environment.name)}), ${plainText(environment.url)}`;
  await print(`This folder is linked to ${what}.\n`);
  run.complain(noteOf(run));
}

function noteOf({ link, cwd }: CommandRun): string {
  const isInside = link && relative(cwd, link.file) !== LINK_FILE;
  const above = isInside ? ` It counts more than ${plainText(link.file)}.` : '';
  return `Wrote ${LINK_FILE}.${above} Next: "lilac deploy", "lilac logs", "lilac open".\n`;
}

async function pickApplication(run: CommandRun): Promise<string> {
  const { found, isMore } = await listApplications(run);
  if (!canAsk(run)) throw new UsageError('Which application? Name it: lilac link <app>');
  if (found.length === 0) {
    throw new UsageError('There is no application yet. "lilac deploy" makes one of this folder, and links it.');
  }
  if (isMore) throw new UsageError(`There are more than ${MOST_CHOICES} applications: name the one, lilac link <app>`);
  return await pick(run, 'Which application?', found.map(toChoice));
}

export type Listed = Item<'applications.list'>;

export const toChoice = ({ id, name, url }: Listed) => ({ label: `${plainText(name)}  ${plainText(url)}`, value: id });

export async function listApplications(run: CommandRun): Promise<{ found: Listed[]; isMore: boolean }> {
  const targetOrganisationId = await chooseOrganisation(run, run.client);
  const found: Listed[] = [];
  for await (const each of run.client.items('applications.list', { body: { targetOrganisationId } })) {
    if (each.status === 'deleting') continue;
    if (found.length === MOST_CHOICES) return { found, isMore: true };
    found.push(each);
  }
  return { found, isMore: false };
}

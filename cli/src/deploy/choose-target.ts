import { basename, dirname, resolve } from 'node:path';
import { isNotFound, type Application, type Lilac } from '@lilac/sdk';
import type { Context } from '../frame/context.ts';
import { GaveUp } from '../frame/gave-up.ts';
import { UsageError } from '../frame/usage-error.ts';
import { findLink, writeLink } from '../link/link.ts';
import { linkFor, resolveEnvironment } from '../link/resolve-target.ts';
import { chooseOrganisation } from '../session/choose-organisation.ts';
import { choosePlatform } from '../session/choose-platform.ts';
import { canAsk, confirm } from '../terminal/ask.ts';
import { plainText } from '../terminal/printable.ts';
import { flagsForNew, type Wanted } from './wanted.ts';

export type Target =
  | { isNew: true; organisationId: string | undefined; name: string }
  | {
      isNew: false;
      organisationId: string | undefined;
      application: Application;
      environmentId: string;
      environmentName: string;
    };

/** The folder to deploy, and everything as seen from there: another folder may be linked elsewhere. */
export function lookFrom<C extends Context>(context: C, folder: string | undefined): { root: string; context: C } {
  const named = resolve(context.cwd, folder ?? '.');
  const link = findLink(named);
  const platform = choosePlatform(context.flags, context.settings, link);
  const isLinked = linkFor({ link, platform }) !== null;
  // Deeper in a linked project the project is meant; a folder that is named is meant itself.
  const root = folder === undefined && link && isLinked ? dirname(link.file) : named;
  return { root, context: { ...context, link, platform } };
}

export async function chooseTarget(context: Context, lilac: Lilac, { root, wanted }: { root: string; wanted: Wanted }) {
  const isLinked = linkFor(context) !== null;
  if (wanted.app !== undefined || (isLinked && wanted.name === undefined))
    return await existing(context, lilac, { app: wanted.app, wanted });
  if (isLinked) {
    throw new UsageError(
      `${plainText(context.link!.file)} links this folder to an application already: leave --name out, or remove the file to make a new one.`,
    );
  }
  assertNotElsewhere(context, root);
  if (context.flags.environment !== undefined)
    throw new UsageError(
      '--env names an environment of an application that is there: say which with --app, or "lilac link".',
    );
  const name = wanted.name ?? nameFor(root);
  const organisationId = await chooseOrganisation(context, lilac);
  const twin = wanted.name === undefined ? await findByName(lilac, organisationId, name) : null;
  if (!twin) return { isNew: true, organisationId, name } satisfies Target;
  const target = await existing(context, lilac, { app: await meantTwin(context, twin), wanted });
  // So that it is asked once.
  writeLink(root, {
    apiUrl: context.platform.apiUrl,
    organisationId,
    applicationId: target.application.id,
    environmentId: target.environmentId,
  });
  return target;
}

/** A new link would take the place of one that somebody still needs. */
function assertNotElsewhere({ link, platform }: Context, root: string): void {
  if (!link || dirname(link.file) !== root) return;
  throw new UsageError(
    `${plainText(link.file)} links this folder to an application at ${link.link.apiUrl}, and this would go to ${platform.apiUrl}. ` +
      'Name an application there with --app, or remove the file to make a new one.',
  );
}

const MAX_NAME = 100;

function nameFor(root: string): string {
  const name = basename(root).trim().slice(0, MAX_NAME);
  if (name === '') throw new UsageError('Give the new application a name: --name');
  return name;
}

async function existing(
  context: Context,
  lilac: Lilac,
  { app, wanted }: { app: string | undefined; wanted: Wanted },
): Promise<Extract<Target, { isNew: false }>> {
  const odd = flagsForNew(wanted);
  if (odd.length > 0) {
    throw new UsageError(
      `${odd.join(', ')}: only for a new application, and this one is there already. ` +
        'Change it with "lilac envs update" or "lilac env set", then deploy.',
    );
  }
  try {
    const { organisationId, applicationId, environmentId } = await resolveEnvironment(context, lilac, app);
    const body = { targetOrganisationId: organisationId, applicationId };
    const application = await lilac.call('applications.get', { body });
    const environment = application.environments.find(({ id }) => id === environmentId);
    return {
      isNew: false,
      organisationId,
      application,
      environmentId,
      environmentName: environment?.name ?? environmentId,
    };
  } catch (error) {
    if (app !== undefined || !isNotFound(error)) throw error;
    throw new GaveUp(
      `${plainText(context.link!.file)} names an application that is gone, or that you cannot see. ` +
        'Link the folder to another with "lilac link", or remove the file to make a new one.',
    );
  }
}

async function findByName(lilac: Lilac, targetOrganisationId: string | undefined, name: string) {
  const body = { targetOrganisationId, filter: name };
  for await (const application of lilac.items('applications.list', { body })) {
    if (application.name.toLowerCase() === name.toLowerCase() && application.status !== 'deleting') return application;
  }
  return null;
}

/** A folder that is not linked may be another one of the same name. */
async function meantTwin(context: Context, twin: { id: string; name: string; url: string }): Promise<string> {
  const there = `There is an application "${plainText(twin.name)}" already (${plainText(twin.url)}).`;
  const ways = `Deploy to it with "--app ${twin.id}", or make another with "--name <name>".`;
  if (!canAsk(context)) throw new UsageError(`${there} ${ways}`);
  if (await confirm(context, `${there} Deploy to it?`)) return twin.id;
  throw new GaveUp(`Nothing was deployed. ${ways}`);
}

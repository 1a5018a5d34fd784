import { isNotFound, type Item, type Lilac } from '@lilac/sdk';
import type { Context } from '../frame/context.ts';
import { UsageError } from '../frame/usage-error.ts';
import { chooseOrganisation } from '../session/choose-organisation.ts';
import { plainText } from '../terminal/printable.ts';

type Asking = Pick<Context, 'flags' | 'settings' | 'platform' | 'link'>;
type Asked = Pick<Lilac, 'call' | 'items'>;

export interface ApplicationTarget {
  /** Undefined with an API key. */
  organisationId: string | undefined;
  applicationId: string;
}

export interface EnvironmentTarget extends ApplicationTarget {
  environmentId: string;
}

/**
 * By an id, by the name or a subdomain of an application, or as the folder is linked. `--env` names another
 * environment of that application; without it an application means its production.
 */
export async function resolveEnvironment(context: Asking, lilac: Asked, named?: string): Promise<EnvironmentTarget> {
  const organisationId = await chooseOrganisation(context, lilac);
  const own = { targetOrganisationId: organisationId };
  const { environment: environmentName } = context.flags;
  if (named?.startsWith('env_')) {
    if (environmentName !== undefined) throw new UsageError(`"${named}" is an environment: leave --env out.`);
    const { application_id: applicationId } = await lilac.call('environments.get', {
      body: { ...own, environmentId: named },
    });
    return { organisationId, applicationId, environmentId: named };
  }
  const found = named === undefined ? linked(context) : await findApplication(lilac, organisationId, named);
  const { applicationId } = found;
  if (environmentName === undefined && found.environmentId) {
    return { organisationId, applicationId, environmentId: found.environmentId };
  }
  return {
    organisationId,
    applicationId,
    environmentId: await environmentOf(lilac, { ...own, applicationId }, environmentName),
  };
}

export async function resolveApplication(context: Asking, lilac: Asked, named?: string): Promise<ApplicationTarget> {
  const organisationId = await chooseOrganisation(context, lilac);
  const { applicationId } = named === undefined ? linked(context) : await findApplication(lilac, organisationId, named);
  return { organisationId, applicationId };
}

interface FoundApplication {
  applicationId: string;
  /** Where what was named is more than an application. */
  environmentId: string | null;
}

/** The link of this folder, as far as it is of the platform that is asked. */
export function linkFor({ link, platform }: Pick<Context, 'link' | 'platform'>): FoundApplication | null {
  return link && link.link.apiUrl === platform.apiUrl ? link.link : null;
}

function linked(context: Pick<Context, 'link' | 'platform'>): FoundApplication {
  const link = linkFor(context);
  if (link) return link;
  throw new UsageError(
    'Which application? Name it (its id, name or subdomain), or link this folder to it with "lilac link".',
  );
}

async function findApplication(
  lilac: Asked,
  targetOrganisationId: string | undefined,
  named: string,
): Promise<FoundApplication> {
  if (named.startsWith('app_')) return { applicationId: named, environmentId: null };
  const wanted = named.toLowerCase();
  const matches: Item<'applications.list'>[] = [];
  for await (const each of lilac.items('applications.list', { body: { targetOrganisationId, filter: named } })) {
    if (each.name.toLowerCase() === wanted || each.slug === wanted) matches.push(each);
  }
  if (matches.length === 1)
    return { applicationId: matches[0]!.id, environmentId: matches[0]!.production_environment_id };
  if (matches.length > 1) {
    const list = matches.map(({ id, url }) => `\n  ${plainText(id)}   ${plainText(url)}`).join('');
    throw new UsageError(`Several applications are called "${named}"; name one by its id:${list}`);
  }
  return await findSubdomain(lilac, targetOrganisationId, named);
}

async function findSubdomain(lilac: Asked, targetOrganisationId: string | undefined, named: string) {
  const problem = new UsageError(`There is no application "${named}". "lilac apps list" shows those there are.`);
  const subdomain = named.toLowerCase();
  if (!/^[a-z0-9-]{1,63}$/.test(subdomain)) throw problem;
  try {
    const query = { targetOrganisationId };
    const { id, environment_id } = await lilac.call('applications.lookup', { query, params: { subdomain } });
    return { applicationId: id, environmentId: environment_id };
  } catch (error) {
    throw isNotFound(error) ? problem : error;
  }
}

async function environmentOf(
  lilac: Asked,
  body: { targetOrganisationId: string | undefined; applicationId: string },
  environmentName: string | undefined,
): Promise<string> {
  const environments = await lilac.call('environments.list', { body });
  const wanted = environmentName?.toLowerCase();
  const found = environments.find(({ name, is_production }) =>
    wanted === undefined ? is_production : name.toLowerCase() === wanted,
  );
  if (found) return found.id;
  const names = environments.map(({ name }) => plainText(name)).join(', ');
  throw new UsageError(
    wanted === undefined
      ? 'The application has no production environment: name one with --env.'
      : `The application has no environment "${environmentName}". It has: ${names}.`,
  );
}

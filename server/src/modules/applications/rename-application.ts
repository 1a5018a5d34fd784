import type { Tx } from '../../db/pool.ts';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockEnvironmentsOf, updateEnvironment } from '../environments/environment-store.ts';
import { letEdgesFollow } from '../environments/let-edges-follow.ts';
import { claimSubdomain } from '../environments/subdomain-store.ts';
import { slugOf, subdomainCandidates, wantedSubdomain } from '../environments/subdomain.ts';
import { updateApplication } from './application-store.ts';
import type { ApplicationsDeps } from './applications-deps.ts';
import { holdApplication } from './hold-application.ts';

export interface Renaming {
  application: ApplicationRow;
  name: string;
  caller: Caller;
}

type Deps = Pick<ApplicationsDeps, 'store' | 'config'>;

/**
 * The addresses of all its environments follow, and the old ones stop with the same commit. A name that
 * makes the same address as the old one keeps it.
 */
export async function renameApplication(deps: Deps, { application, name, caller }: Renaming): Promise<ApplicationRow> {
  const { db } = deps.store;
  let version: number | null = null;
  const answer = await db.transaction().execute(async (tx) => {
    const before = await holdApplication(tx, application.id);
    if (before.name === name) return before;
    const environments = await lockEnvironmentsOf(tx, before.id);
    const keepsAddress = slugOf(before.name) === slugOf(name);
    const renamed = await updateApplication(tx, before.id, { name });
    const moved = keepsAddress ? [] : await changeAddresses(tx, deps, { application: renamed, environments });
    await tellEnvironments(tx, environments, { application: before, caller });
    // In the order they were claimed: one may have what another has just given up.
    for (const { id: environmentId, subdomain } of moved)
      version = await publishRoute(tx, { environmentId, subdomain });
    const production = moved.find((environment) => environment.is_production);
    return { ...renamed, slug: production?.subdomain ?? renamed.slug };
  });
  await letEdgesFollow(db, version);
  return answer;
}

/** Each shows it in its own activity; the organisation's has it once. */
async function tellEnvironments(
  tx: Tx,
  environments: readonly EnvironmentRow[],
  {
    application: { organisation_id: organisationId, id: applicationId },
    caller,
  }: Pick<Renaming, 'application' | 'caller'>,
): Promise<void> {
  const ofApplication = { organisationId, applicationId, action: 'application_renamed', caller } as const;
  for (const [at, { id: environmentId }] of environments.entries()) {
    await recordActivity(tx, { ...ofApplication, environmentId, isRepeated: at > 0 });
  }
}

/**
 * Production first, after the application's slug, as at its creation: two who want one name cannot then wait for each
 * other.
 */
async function changeAddresses(
  tx: Tx,
  { config }: Deps,
  { application: { id, name }, environments }: { application: ApplicationRow; environments: readonly EnvironmentRow[] },
): Promise<EnvironmentRow[]> {
  const production = environments.find((environment) => environment.is_production);
  if (!production) return [];
  const claim = <T>(wanted: string, write: (subdomain: string) => Promise<T>) =>
    claimSubdomain(tx, subdomainCandidates(config, wanted), write);
  const first = await claim(wantedSubdomain({ isProduction: true, applicationName: name }), async (slug) => {
    await updateApplication(tx, id, { slug });
    return updateEnvironment(tx, production.id, { subdomain: slug });
  });
  const moved = [first];
  for (const other of environments) {
    if (other.is_production || other.status === 'deleting') continue;
    const wanted = wantedSubdomain({ isProduction: false, applicationSlug: first.subdomain, name: other.name });
    moved.push(await claim(wanted, (subdomain) => updateEnvironment(tx, other.id, { subdomain })));
  }
  return moved;
}

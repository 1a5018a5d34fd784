import type { Tx } from '../../db/pool.ts';
import type { EnvironmentRow } from '../../db/schema.ts';
import { conflict } from '../../lib/fault.ts';
import { newId } from '../../lib/ids.ts';
import { tellLog } from '../../logs/tell-log.ts';
import type { RouteChange } from '../../routing/route-store.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { lockEnvironment, updateEnvironment } from '../environments/environment-store.ts';
import type { ClearedName } from './clear-name.ts';
import { lostNews } from './domain-news.ts';
import { deleteDomainOf, findDomain, findDomainAt, insertDomain, lockDomain } from './domain-store.ts';
import { enqueueCheck } from './job-kinds.ts';
import { forgetLostDomain, noteLostDomain } from './lost-domain-store.ts';

export interface Assignment {
  /** Held by the caller. */
  environment: EnvironmentRow;
  /** Null: it shall have none. */
  name: ClearedName | null;
  /** Where it has none it is not reached at its generated name either. */
  hidesSubdomain?: boolean;
}

export interface Assigned {
  environment: EnvironmentRow;
  /** To be published last in the transaction. None: edges need not know. */
  routes: RouteChange[];
}

/** The only one who writes which environment has which name. Nobody serves a name before it is proved. */
export async function assignDomain(
  tx: Tx,
  { environment: before, name, hidesSubdomain = false }: Assignment,
): Promise<Assigned> {
  const { id, organisation_id: organisationId } = before;
  const hostname = name?.hostname ?? null;
  const isSame = before.custom_domain === hostname && before.hides_subdomain === hidesSubdomain;
  if (isSame) return { environment: before, routes: [] };
  if (before.custom_domain !== hostname) await deleteDomainOf(tx, id);
  await forgetLostDomain(tx, id);
  const lost = name?.takesFrom ? await takeAway(tx, name.takesFrom) : [];
  if (name && before.custom_domain !== hostname) await claim(tx, { organisationId, environmentId: id, name });
  const columns = { custom_domain: hostname, hides_subdomain: hidesSubdomain };
  const environment = await updateEnvironment(tx, id, columns);
  const { subdomain } = environment;
  const own: RouteChange = { environmentId: id, subdomain, domain: null, atSubdomain: !hidesSubdomain };
  const isServedOtherwise = before.custom_domain !== null || before.hides_subdomain !== hidesSubdomain;
  return { environment, routes: isServedOtherwise ? [...lost, own] : lost };
}

/**
 * Whoever takes a name from another environment holds both, the one with the smaller id first: two that take from each
 * other do not wait for ever. Call it before the own one is held.
 */
export async function holdLoser(
  tx: Tx,
  { environmentId, name }: { environmentId: string; name: ClearedName | null | undefined },
): Promise<void> {
  const loser = name?.takesFrom ? await findDomain(tx, name.takesFrom.id) : null;
  if (loser && loser.environment_id < environmentId) await lockEnvironment(tx, loser.environment_id);
}

async function claim(
  tx: Tx,
  {
    organisationId,
    environmentId,
    name: { hostname, isApex },
  }: { organisationId: string; environmentId: string; name: ClearedName },
): Promise<void> {
  const id = newId('dom');
  const isOurs = await insertDomain(tx, {
    id,
    organisationId,
    environmentId,
    hostname,
    isApex,
    nextCheckAt: new Date(),
  });
  if (!isOurs) await refuse(tx, organisationId, hostname);
  await enqueueCheck(tx, { id, organisation_id: organisationId, hostname });
}

async function refuse(tx: Tx, organisationId: string, hostname: string): Promise<never> {
  const holder = await findDomainAt(tx, hostname);
  if (holder?.organisation_id === organisationId) {
    const { application_name: application, environment_name: environment } = holder;
    throw conflict(`${hostname} is the domain of ${application} / ${environment}. Remove it there first.`);
  }
  throw justTaken(hostname);
}

/** Somebody came first by a moment: whoever tries again is told how it can be had all the same. */
const justTaken = (hostname: string) =>
  conflict(`Another organisation of this platform has just added ${hostname}, or shown that it is theirs. Try again.`);

/** From an environment of another organisation, which the DNS no longer says it belongs to. */
async function takeAway(
  tx: Tx,
  { id: domainId, verified_at }: NonNullable<ClearedName['takesFrom']>,
): Promise<RouteChange[]> {
  const seen = await findDomain(tx, domainId);
  if (!seen) return [];
  // Environments are held before their domains, by everybody.
  const loser = await lockEnvironment(tx, seen.environment_id);
  const held = loser && (await lockDomain(tx, domainId));
  if (!held) return [];
  // They have proved it since we looked: by now it takes more to have it.
  if (held.verified_at?.getTime() !== verified_at?.getTime()) throw justTaken(held.hostname);
  const { id, application_id: applicationId, organisation_id: organisationId, subdomain } = loser;
  await deleteDomainOf(tx, id);
  await updateEnvironment(tx, id, { custom_domain: null });
  const deed = { action: 'custom_domain_lost', detail: seen.hostname, caller: 'platform' } as const;
  await recordActivity(tx, { organisationId, applicationId, environmentId: id, ...deed });
  await noteLostDomain(tx, { environmentId: id, organisationId, hostname: seen.hostname, lostAt: new Date() });
  await tellLog(tx, { environmentId: id, ...lostNews(seen.hostname) });
  return [{ environmentId: id, subdomain, domain: null }];
}

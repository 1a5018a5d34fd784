import type { EndpointDeclaration, FeatureFlag } from '@lilac/contract/endpoint';
import { keyRoleHas, roleHas, roles, type KeyRole, type Role } from '@lilac/contract/permissions';
import { planLimits } from '@lilac/contract/plans';
import type { Clock } from '../lib/clock.ts';
import { endedSession, Fault } from '../lib/fault.ts';
import { isSameBytes } from '../lib/same-text.ts';
import type { AccessStore, AddressedResource, KeyAccess, ResourceRow } from './access-store.ts';
import type { Credential, PresentedKey } from './authenticate.ts';
import type { Caller, OrganisationAccess, SessionCaller } from './handler.ts';

export interface AdmissionDeps {
  access: AccessStore;
  clock: Clock;
  /** Tells the API keys module that a key was used. */
  noteKeyUse(keyId: string): void;
  isFeatureOn(flag: FeatureFlag): boolean;
}

/** What the request names, as far as it could be read. */
export interface Named {
  organisationId: string | null;
  resource: AddressedResource | null;
}

export const namesNothing: Named = { organisationId: null, resource: null };

export interface Admission {
  caller: Caller;
  organisation: OrganisationAccess | null;
  /** Null when the endpoint addresses none, or when it is not there for this caller. */
  resource: ResourceRow | null;
}

/**
 * Decides whether this caller may call this endpoint for this organisation, from the declaration and
 * one query. The order of the refusals is the order of what the caller has proven so far.
 */
export function admit(
  deps: AdmissionDeps,
  declaration: EndpointDeclaration,
  { credential, named }: { credential: Credential; named: Named },
): Promise<Admission> {
  return credential.kind === 'key'
    ? admitKey(deps, declaration, { credential, named })
    : admitSession(deps, declaration, { credential, named });
}

async function admitSession(
  deps: AdmissionDeps,
  declaration: EndpointDeclaration,
  { credential: caller, named }: { credential: SessionCaller; named: Named },
): Promise<Admission> {
  const { userId, sessionId } = caller;
  const session = declaration.needsLiveSession && { sessionId, now: deps.clock.now() };
  if (declaration.organisation === null) {
    if (session && !(await deps.access.isSessionLive(userId, session))) throw endedSession();
    assertFeature(deps, declaration);
    return { caller, organisation: null, resource: null };
  }
  const { resource } = named;
  const organisationId = named.organisationId ?? (await inferOrganisation(deps, declaration, userId));
  const found = await deps.access.findMembership({ userId, organisationId, session, resource });
  if (!found) throw new Fault('CA004');
  if (!found.isSessionLive) throw endedSession();
  const organisation = { id: organisationId, plan: found.plan, role: found.role };
  assertRole(declaration, found.role, roleHas);
  assertPlan(declaration, organisation);
  assertFeature(deps, declaration);
  return { caller, organisation, resource: found.resource };
}

/** Whom the declaration lets leave it out means the only one there is. */
async function inferOrganisation(
  { access }: AdmissionDeps,
  { infersOrganisation, organisation }: EndpointDeclaration,
  userId: string,
): Promise<string> {
  if (!infersOrganisation) throw new Fault('CA007');
  const [only, ...others] = await access.listOrganisations(userId, 2);
  if (only === undefined)
    throw new Fault('CA004', 'You belong to no organisation. Create one, or have yourself invited.');
  if (others.length === 0) return only;
  const field = organisation!.split('.')[1]!;
  throw new Fault('CA007', `You belong to several organisations: name one as ${field}. /api/auth/profile lists them.`);
}

async function admitKey(
  deps: AdmissionDeps,
  declaration: EndpointDeclaration,
  { credential, named }: { credential: PresentedKey; named: Named },
): Promise<Admission> {
  const found = await deps.access.findKey({ publicId: credential.publicId, resource: named.resource });
  const key = provenKey(credential, found, deps.clock.now());
  const organisation = { id: key.organisationId, plan: key.plan, role: key.role };
  if (!planLimits[key.plan].apiKeys) {
    throw new Fault(
      'CA008',
      `The plan "${key.plan}" does not include API keys: they do not work. ${HOW_TO_CHANGE_PLAN}`,
    );
  }
  deps.noteKeyUse(key.keyId);
  if (declaration.credential === 'session') throw new Fault('CA006');
  if (named.organisationId !== null && named.organisationId !== key.organisationId) throw new Fault('CA003');
  assertRole(declaration, key.role, keyRoleHas);
  assertPlan(declaration, organisation);
  assertFeature(deps, declaration);
  return {
    caller: { kind: 'key', keyId: key.keyId },
    organisation: declaration.organisation === null ? null : organisation,
    resource: key.resource,
  };
}

/** Compared with so that an unknown key takes as long as a wrong one. */
const NO_HASH = Buffer.alloc(32);

function provenKey({ secretHash }: PresentedKey, found: KeyAccess | null, now: Date): KeyAccess {
  const isSame = isSameBytes(secretHash, found?.secretHash ?? NO_HASH);
  if (!found || !isSame || found.revokedAt !== null) throw new Fault('CA002');
  if (found.expiresAt !== null && found.expiresAt <= now) throw new Fault('CA002');
  return found;
}

function assertRole<R extends Role | KeyRole>(
  { permission, minimumRole }: EndpointDeclaration,
  role: R,
  has: (role: R, permission: NonNullable<EndpointDeclaration['permission']>) => boolean,
): void {
  if (permission !== null && !has(role, permission)) {
    throw new Fault('CA005', `The role "${role}" does not have the permission ${permission}.`);
  }
  if (minimumRole !== undefined && roles.indexOf(role) < roles.indexOf(minimumRole)) {
    throw new Fault('CA005', `This needs the role "${minimumRole}"; yours is "${role}".`);
  }
}

const planFeatureNames: Record<NonNullable<EndpointDeclaration['planFeature']>, string> = { apiKeys: 'API keys' };

const HOW_TO_CHANGE_PLAN =
  'An owner can change the plan (POST /api/organisations/plan), and so can the operator (lilac admin plan set).';

function assertPlan({ planFeature }: EndpointDeclaration, { plan }: OrganisationAccess): void {
  if (planFeature !== undefined && !planLimits[plan][planFeature]) {
    const name = planFeatureNames[planFeature];
    throw new Fault('CA008', `The plan "${plan}" does not include ${name}. ${HOW_TO_CHANGE_PLAN}`);
  }
}

/** Also for endpoints that ask for no credential. */
export function assertFeature(
  { isFeatureOn }: Pick<AdmissionDeps, 'isFeatureOn'>,
  { feature }: EndpointDeclaration,
): void {
  if (feature !== undefined && !isFeatureOn(feature)) {
    throw new Fault('FF001', `The feature ${feature} is not enabled on this platform.`);
  }
}

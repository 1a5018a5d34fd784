import type { Plan } from '@lilac/contract/plans';
import type { Variables } from '@lilac/contract/variable-changes';
import type { Tx } from '../../db/pool.ts';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { invalid } from '../../lib/fault.ts';
import { wakeFleet } from '../../routing/fleet-signal-store.ts';
import type { Action } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { assertNotLinked } from '../databases/links/assert-not-linked.ts';
import { assignDomain, holdLoser, type Assigned } from '../domains/assign-domain.ts';
import { clearName, type ClearedName } from '../domains/clear-name.ts';
import { readHostname } from '../domains/hostname.ts';
import { publishRoutes } from '../domains/publish-routes.ts';
import { enqueueHooks } from '../vcs/hooks/job-kinds.ts';
import { assertNameFree } from './assert-name-free.ts';
import { actionsOf, changedSettings, type EnvironmentUpdate } from './environment-change.ts';
import { updateEnvironment as updateRow, type EnvironmentColumns } from './environment-store.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { holdEnvironment } from './hold-environment.ts';
import { letEdgesFollow, UNTIL_ALL_FOLLOWED } from './let-edges-follow.ts';
import { claimSubdomain } from './subdomain-store.ts';
import { slugOf, subdomainCandidates, wantedSubdomain } from './subdomain.ts';
import { assertVariables, isSameVariables, openVariables, patchVariables, sealVariables } from './variables.ts';

export interface UpdateRequest {
  environment: EnvironmentRow;
  plan: Plan;
  caller: Caller;
  update: EnvironmentUpdate;
}

/** Changes what was given and nothing else; what is the same already leaves no trace. */
export async function updateEnvironment(deps: EnvironmentsDeps, request: UpdateRequest): Promise<EnvironmentRow> {
  const { environmentVars, environmentVarsPatch } = request.update;
  if (environmentVars && environmentVarsPatch) throw invalid('Give environmentVars or environmentVarsPatch, not both.');
  if (environmentVars) assertVariables(environmentVars);
  const { db } = deps.store;
  const name = await readDomain(deps, request);
  const { after, version } = await db.transaction().execute((tx) => change(tx, deps, { ...request, name }));
  // A domain that is given up has stopped when this returns.
  await letEdgesFollow(db, version, name === undefined ? undefined : UNTIL_ALL_FOLLOWED);
  return after;
}

/** Undefined: it stays as it is. Null: it goes. */
type NextDomain = ClearedName | null | undefined;

async function readDomain(deps: EnvironmentsDeps, { environment, update }: UpdateRequest): Promise<NextDomain> {
  const { organisation_id: organisationId, subdomain } = environment;
  if (!update.customDomain) return update.customDomain === undefined ? undefined : null;
  const hostname = readHostname(deps.config, 'customDomain', update.customDomain);
  if (hostname === environment.custom_domain) return undefined;
  return clearName(deps, { organisationId, hostname, subdomain });
}

async function change(
  tx: Tx,
  deps: EnvironmentsDeps,
  {
    environment: { id, application_id: applicationId },
    plan,
    caller,
    update,
    name,
  }: UpdateRequest & { name: NextDomain },
): Promise<{ after: EnvironmentRow; version: number | null }> {
  const application = await holdApplication(tx, applicationId);
  await holdLoser(tx, { environmentId: id, name });
  const before = await holdEnvironment(tx, id);
  const variables = nextVariables(deps, before, update);
  if (variables) await assertNotLinked(tx, id, Object.keys(variables));
  const renamed = await rename(tx, deps, { application, environment: before, name: update.name?.trim() });
  const columns: EnvironmentColumns = {
    ...changedSettings({ plan, environment: before, application }, update),
    ...changedVariables(deps, before, variables),
  };
  const configured = Object.keys(columns).length > 0 ? await updateRow(tx, id, columns) : renamed;
  const { environment: after, routes } = await setDomain(tx, configured, name);
  const actions: Action[] = actionsOf(columns);
  if ('variables' in columns) actions.unshift('environment_vars_updated');
  if (after.name !== before.name) actions.unshift('environment_renamed');
  if (after.custom_domain !== before.custom_domain) {
    actions.push(after.custom_domain === null ? 'custom_domain_removed' : 'custom_domain_updated');
  }
  for (const action of actions) {
    const { organisation_id: organisationId } = before;
    const domain = action.startsWith('custom_domain_') ? (after.custom_domain ?? before.custom_domain) : null;
    const detail = domain === null ? {} : { detail: domain };
    await recordActivity(tx, { organisationId, applicationId, environmentId: id, action, caller, ...detail });
  }
  if ('auto_deploy' in columns) await enqueueHooks(tx, { applicationId });
  if (actions.includes('scaling_updated')) await wakeFleet(tx, id);
  const { subdomain } = after;
  if (subdomain !== before.subdomain) routes.push({ environmentId: id, subdomain });
  return { after, version: await publishRoutes(tx, routes) };
}

async function setDomain(tx: Tx, environment: EnvironmentRow, name: NextDomain): Promise<Assigned> {
  if (name === undefined) return { environment, routes: [] };
  return assignDomain(tx, { environment, name, hidesSubdomain: name === null && environment.hides_subdomain });
}

/** Production answers at the application's address, whatever it is called itself: that changes with the application. */
async function rename(
  tx: Tx,
  { config }: EnvironmentsDeps,
  of: { application: ApplicationRow; environment: EnvironmentRow; name: string | undefined },
): Promise<EnvironmentRow> {
  const { environment, name, application } = of;
  if (name === undefined || name === environment.name) return environment;
  await assertNameFree(tx, { applicationId: application.id, name, self: environment.id });
  const keepsAddress = environment.is_production || slugOf(name) === slugOf(environment.name);
  if (keepsAddress) return updateRow(tx, environment.id, { name });
  const wanted = wantedSubdomain({ isProduction: false, applicationSlug: application.slug, name });
  return claimSubdomain(tx, subdomainCandidates(config, wanted), (subdomain) =>
    updateRow(tx, environment.id, { name, subdomain }),
  );
}

/** Undefined: they stay as they are. */
function nextVariables(
  { keyring }: EnvironmentsDeps,
  before: EnvironmentRow,
  { environmentVars, environmentVarsPatch: patch }: EnvironmentUpdate,
): Variables | undefined {
  if (!patch) return environmentVars;
  const merged = patchVariables(openVariables(keyring, before), patch);
  assertVariables(merged);
  return merged;
}

function changedVariables(
  { keyring }: EnvironmentsDeps,
  before: EnvironmentRow,
  variables: Variables | undefined,
): EnvironmentColumns {
  if (variables === undefined || isSameVariables(variables, openVariables(keyring, before))) return {};
  return { variables: sealVariables(keyring, before.id, variables) };
}

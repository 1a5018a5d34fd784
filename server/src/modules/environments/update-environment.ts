import type { Plan } from '@lilac/contract/plans';
import type { Tx } from '../../db/pool.ts';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';
import type { Caller } from '../../http/handler.ts';
import { wakeFleet } from '../../routing/fleet-signal-store.ts';
import { publishRoute } from '../../routing/route-store.ts';
import type { Action } from '../activity/activity.ts';
import { recordActivity } from '../activity/record-activity.ts';
import { holdApplication } from '../applications/hold-application.ts';
import { assertNotLinked } from '../databases/links/assert-not-linked.ts';
import { enqueueHooks } from '../vcs/hooks/job-kinds.ts';
import { assertNameFree } from './assert-name-free.ts';
import { actionsOf, changedSettings, type EnvironmentUpdate } from './environment-change.ts';
import { updateEnvironment as updateRow, type EnvironmentColumns } from './environment-store.ts';
import type { EnvironmentsDeps } from './environments-deps.ts';
import { holdEnvironment } from './hold-environment.ts';
import { letEdgesFollow } from './let-edges-follow.ts';
import { claimSubdomain } from './subdomain-store.ts';
import { slugOf, subdomainCandidates, wantedSubdomain } from './subdomain.ts';
import { assertVariables, isSameVariables, openVariables, sealVariables } from './variables.ts';

export interface UpdateRequest {
  environment: EnvironmentRow;
  plan: Plan;
  caller: Caller;
  update: EnvironmentUpdate;
}

/** Changes what was given and nothing else; what is the same already leaves no trace. */
export async function updateEnvironment(deps: EnvironmentsDeps, request: UpdateRequest): Promise<EnvironmentRow> {
  if (request.update.environmentVars) assertVariables(request.update.environmentVars);
  const { db } = deps.store;
  const { after, version } = await db.transaction().execute((tx) => change(tx, deps, request));
  await letEdgesFollow(db, version);
  return after;
}

async function change(
  tx: Tx,
  deps: EnvironmentsDeps,
  { environment: { id, application_id: applicationId }, plan, caller, update }: UpdateRequest,
): Promise<{ after: EnvironmentRow; version: number | null }> {
  const application = await holdApplication(tx, applicationId);
  const before = await holdEnvironment(tx, id);
  if (update.environmentVars) await assertNotLinked(tx, id, Object.keys(update.environmentVars));
  const renamed = await rename(tx, deps, { application, environment: before, name: update.name?.trim() });
  const columns: EnvironmentColumns = {
    ...changedSettings({ config: deps.config, plan, environment: before, application }, update),
    ...changedVariables(deps, before, update.environmentVars),
  };
  const after = Object.keys(columns).length > 0 ? await updateRow(tx, id, columns) : renamed;
  const actions: Action[] = actionsOf(columns);
  if ('variables' in columns) actions.unshift('environment_vars_updated');
  if (after.name !== before.name) actions.unshift('environment_renamed');
  for (const action of actions) {
    const { organisation_id: organisationId } = before;
    await recordActivity(tx, { organisationId, applicationId, environmentId: id, action, caller });
  }
  if ('auto_deploy' in columns) await enqueueHooks(tx, { applicationId });
  if (actions.includes('scaling_updated')) await wakeFleet(tx, id);
  const { subdomain } = after;
  const version = subdomain === before.subdomain ? null : await publishRoute(tx, { environmentId: id, subdomain });
  return { after, version };
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

function changedVariables(
  { keyring }: EnvironmentsDeps,
  before: EnvironmentRow,
  variables: EnvironmentUpdate['environmentVars'],
): EnvironmentColumns {
  if (variables === undefined || isSameVariables(variables, openVariables(keyring, before))) return {};
  return { variables: sealVariables(keyring, before.id, variables) };
}

import { setTimeout } from 'node:timers/promises';
import type { Db, Tx } from '../../../db/pool.ts';
import { holdJob } from '../../../jobs/claim-store.ts';
import { JobStopped } from '../../../jobs/outcome.ts';
import { conflict, notFound } from '../../../lib/fault.ts';
import { newId } from '../../../lib/ids.ts';
import { lockApplication } from '../../applications/application-store.ts';
import { findPlan } from '../../deployments/deployment-store.ts';
import { addEnvironment } from '../../environments/add-environment.ts';
import { deployHeld } from '../../environments/deploy-environment.ts';
import { findEnvironmentNamed, lockEnvironment } from '../../environments/environment-store.ts';
import { DEFAULT_SCALING, fitScaling } from '../../environments/scaling.ts';
import { BranchBeingRead } from './branch-being-read.ts';
import { branchEnvironmentNames } from './branch-environment-name.ts';
import { decideOnPush, type Push } from './decide-on-push.ts';
import { isReadingBranch, listPushedEnvironments } from './push-store.ts';
import type { Act, ActDeps } from './webhooks-deps.ts';

type Deps = Pick<ActDeps, 'store' | 'config'>;

/** So long a push waits here for a build that may be reading its commit already; then others have their turn first. */
const READ_MS = 2000;
const LOOK_MS = 200;

/** As people do it by hand. Decided anew while nobody else can change anything: twice is as good as once. */
export async function deployPushed(
  { store }: Deps,
  { applicationId, environmentId, push }: { applicationId: string; environmentId: string; push: Push },
  act: Act,
): Promise<void> {
  await untilRead(store.db, environmentId, act.signal);
  await store.db.transaction().execute(async (tx) => {
    const application = await holdLiving(tx, applicationId);
    const environment = await lockEnvironment(tx, environmentId);
    const { deploy } = decideOnPush(application, await listPushedEnvironments(tx, applicationId), push);
    if (!environment || !deploy.includes(environmentId)) return;
    const commit = { sha: push.head!, message: push.message };
    await deployHeld(tx, { application, environment, commit, caller: 'platform' });
    await assertOurs(tx, act);
  });
}

/**
 * The environment of a new branch: deployed on every push, with none of the variables of others, since everybody who
 * may push a branch can read them. Null when somebody was faster.
 */
export function createPushedEnvironment(
  { store, config }: Deps,
  { applicationId, push }: { applicationId: string; push: Push },
  act: Act,
): Promise<string | null> {
  return store.db.transaction().execute(async (tx) => {
    const application = await holdLiving(tx, applicationId);
    const { create } = decideOnPush(application, await listPushedEnvironments(tx, applicationId), push);
    if (!create) return null;
    const columns = {
      id: newId('env'),
      name: await freeName(tx, applicationId, push.branch),
      vcs_branch: push.branch,
      auto_deploy: true,
      made_by_push: true,
      ...fitScaling(await findPlan(tx, application.organisation_id), DEFAULT_SCALING),
    };
    await assertOurs(tx, act);
    return (await addEnvironment(tx, config, application, { columns, caller: 'platform' })).id;
  });
}

async function untilRead(db: Db, environmentId: string, signal: AbortSignal): Promise<void> {
  const looks = READ_MS / LOOK_MS;
  for (let look = 0; look < looks; look++) {
    if (!(await isReadingBranch(db, environmentId))) return;
    await setTimeout(LOOK_MS, undefined, { signal });
  }
  throw new BranchBeingRead('A build is still reading the branch.');
}

async function holdLiving(tx: Tx, applicationId: string) {
  const application = await lockApplication(tx, applicationId);
  if (!application || application.status === 'deleting') throw notFound('Application');
  return application;
}

/** A branch that was deleted and has come back gets its old name again, as soon as that is free. */
async function freeName(tx: Tx, applicationId: string, branch: string): Promise<string> {
  for (const name of branchEnvironmentNames(branch)) {
    const holder = await findEnvironmentNamed(tx, { applicationId, name });
    if (!holder) return name;
    if (holder.status === 'deleting' && holder.vcs_branch === branch) {
      throw conflict(`The last environment of ${branch} is still being deleted.`);
    }
  }
  throw conflict(`Every name for an environment of ${branch} is taken.`);
}

/** Another worker may have the job by now: what this one writes would come late. */
async function assertOurs(tx: Tx, act: Act): Promise<void> {
  if (!(await holdJob(tx, act))) throw new JobStopped('lost');
}

import type { ApplicationRow } from '../../../db/schema.ts';
import { Fault } from '../../../lib/fault.ts';
import { isBranchName } from '../../../vcs/git/branch-name.ts';
import type { Repository } from '../../../vcs/git/repository.ts';
import type { PushEvent } from '../../../vcs/vcs-host.ts';
import { deleteEnvironment } from '../../environments/delete-environment.ts';
import { openNamed } from '../access/application-repository.ts';
import { missedPush, notePushTrouble } from '../hooks/push-trouble-store.ts';
import { tellApplication } from '../tell-application.ts';
import { BranchBeingRead } from './branch-being-read.ts';
import {
  buildsSomething,
  decideOnPush,
  MOST_MADE_BY_PUSH,
  wantsEnvironment,
  type Decision,
  type Push,
} from './decide-on-push.ts';
import { createPushedEnvironment, deployPushed } from './deploy-pushed.ts';
import { findBranchHead, listPushedEnvironments, noteBranchHead } from './push-store.ts';
import { pushedApplication } from './pushed-application.ts';
import type { Act, ActDeps } from './webhooks-deps.ts';

export interface PushToAct {
  application: ApplicationRow;
  event: PushEvent;
  receivedAt: Date;
}

/**
 * What a push means for one application. The webhook is a hint: where the branch is now is asked of git. Doing it again
 * does nothing more, so it may be interrupted anywhere.
 */
export async function actOnPush(deps: ActDeps, { event, receivedAt, ...push }: PushToAct, act: Act): Promise<void> {
  const { signal } = act;
  if (!isBranchName(event.branch)) return tellOfName(deps, { ...push, event });
  const application = await pushedApplication(deps, { ...push, event }, signal);
  const repository = application && (await openNamed(deps, application, { signal }));
  if (!repository) return;
  const { isFull } = await actOnHead(deps, { application, repository, event, receivedAt }, act);
  if (isFull) await tellOfFull(deps, { applicationId: application.id, branch: event.branch });
  else await notePushTrouble(deps.store.db, application.id, null);
}

/** Once: whoever goes on pushing to the branch reads it in the application meanwhile. */
async function tellOfFull({ store }: ActDeps, { applicationId, branch }: { applicationId: string; branch: string }) {
  const why =
    `The branch "${branch}" gets no environment: pushes have made ${MOST_MADE_BY_PUSH} for this application already, ` +
    'which is the most there may be. Delete some, then push again.';
  const message = missedPush(branch, why);
  await store.db.transaction().execute(async (tx) => {
    if (await notePushTrouble(tx, applicationId, message)) await tellApplication(tx, { applicationId, message });
  });
}

/** Hosts take names that git's own commands do not: whoever waits for an environment reads why there is none. */
async function tellOfName({ store }: ActDeps, { application, event }: Omit<PushToAct, 'receivedAt'>): Promise<void> {
  const { branch, sha } = event;
  if (sha === null || !wantsEnvironment(application, branch)) return;
  const message = `The branch "${branch}" gets no environment: git's commands take no branch of that name. Rename it.`;
  await store.db.transaction().execute((tx) => tellApplication(tx, { applicationId: application.id, message }));
}

async function actOnHead(
  deps: ActDeps,
  { application, repository, event, receivedAt }: PushToAct & { repository: Repository },
  act: Act,
): Promise<Decision> {
  const { signal } = act;
  const head = await deps.gitSources.headOf(repository, event.branch, { signal });
  const isTold = head !== null && head === event.sha;
  const told: Push = {
    branch: event.branch,
    isDeletion: event.sha === null,
    head,
    message: isTold ? event.message : null,
    lastSeen: await findBranchHead(deps.store.db, application.id, event.branch),
    receivedAt,
  };
  const environments = await listPushedEnvironments(deps.store.db, application.id);
  const decide = (push: Push) => decideOnPush(application, environments, push);
  const first = decide(told);
  const push = buildsSomething(first) ? await withMessage(deps, { repository, push: told }, signal) : told;
  // That looks through all the patterns, so it is done again only when there is something new to say.
  const decision = push === told ? first : decide(push);
  await carryOut(deps, { application, push, decision }, act);
  await noteBranchHead(deps.store.db, { applicationId: application.id, branch: push.branch, head: push.head });
  return decision;
}

/** A host that does not say it, or says it of another commit, leaves it to git. */
async function withMessage(
  { gitSources }: ActDeps,
  { repository, push }: { repository: Repository; push: Push },
  signal: AbortSignal,
): Promise<Push> {
  if (push.message !== null) return push;
  await using tree = await gitSources.openTree(repository, push.branch, { signal });
  const { sha: head, message } = tree.commit;
  return { ...push, head, message };
}

async function carryOut(
  deps: ActDeps,
  { application, push, decision }: { application: ApplicationRow; push: Push; decision: Decision },
  act: Act,
): Promise<void> {
  const { id: applicationId } = application;
  for (const id of decision.remove) {
    await unlessGone(
      deleteEnvironment(deps, { environment: { id, application_id: applicationId }, caller: 'platform' }),
    );
  }
  const created = decision.create
    ? await unlessGone(createPushedEnvironment(deps, { applicationId, push }, act))
    : null;
  // What is being read keeps no other environment of the branch waiting.
  const beingRead: BranchBeingRead[] = [];
  for (const environmentId of created === null ? decision.deploy : [created]) {
    try {
      await unlessGone(deployPushed(deps, { applicationId, environmentId, push }, act));
    } catch (error) {
      if (!(error instanceof BranchBeingRead)) throw error;
      beingRead.push(error);
    }
  }
  if (beingRead[0]) throw beingRead[0];
}

/** What somebody has deleted meanwhile needs nothing any more. */
async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Fault && error.code === 'NF001') return null;
    throw error;
  }
}

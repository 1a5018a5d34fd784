import { attempt } from '../attempt.ts';
import type { Step } from '../plan.ts';
import type { Scene, Subject } from '../scene.ts';
import { wordsOf } from '../words.ts';
import { choose, leftUndone, type Act } from './act.ts';

export const deploySite: Act = async (scene, step) => (await deploy(scene, scene.site, step)) !== null;
export const deployServer: Act = async (scene, step) => (await deploy(scene, scene.server, step)) !== null;
export const rollBackSite: Act = (scene, step) => rollBack(scene, scene.site, step);
export const rollBackServer: Act = (scene, step) => rollBack(scene, scene.server, step);

/** What is newest, if it still moves. */
export const cancelServer: Act = async (scene) => {
  const { deployer, server, ledger } = scene;
  const { client, targetOrganisationId } = deployer;
  const [newest] = (await listDeployments(scene, server)) ?? [];
  if (!newest || !['pending', 'building', 'deploying'].includes(newest.status)) {
    return leftUndone(scene, server.part, 'cancel: nothing moves');
  }
  // It may have ended by now.
  const options = { about: server.part, what: `cancel ${newest.id}`, mayRefuse: [400, 409] };
  // What was live once is as good as it was when nobody goes back to it.
  const asked = server.history.isAskedAgain(newest.id) ? null : ledger.ask(`end of ${newest.id}`, 'cancelled');
  const { kind } = await attempt(scene, options, () =>
    client.call('deployments.cancel', { body: { targetOrganisationId, deploymentId: newest.id } }),
  );
  if (kind === 'acknowledged') asked?.acknowledged();
  if (kind === 'refused') asked?.refused();
  return kind === 'acknowledged';
};

/** Not waited for: what is asked for next comes while it is built. */
export async function deploy(scene: Scene, subject: Subject, { number }: Pick<Step, 'number'>): Promise<string | null> {
  const { deployer, ledger } = scene;
  const words = wordsOf(subject.part, number);
  const asked = ledger.ask(`live ${subject.environmentId}`, words);
  const release = subject.history.ask(words);
  const outcome = await attempt(scene, { about: subject.part, what: `deploy "${words}"` }, () =>
    deployer.deploy(subject, subject.filesFor(words)),
  );
  const id = outcome.kind === 'acknowledged' ? outcome.answer : null;
  if (outcome.kind === 'refused') {
    asked.refused();
    release.refused();
  } else ledger.noteDeployment({ environmentId: subject.environmentId, id, words });
  if (id !== null) {
    asked.acknowledged();
    release.acknowledged(id);
  }
  return id;
}

async function rollBack(scene: Scene, subject: Subject, step: Step): Promise<boolean> {
  const { deployer, ledger } = scene;
  const known = new Map(ledger.deployments(subject.environmentId).map(({ id, words }) => [id, words]));
  const listed = (await listDeployments(scene, subject)) ?? [];
  const goal = choose(listed.filter(({ id, status }) => status === 'healthy' && known.has(id)).slice(0, 8), step);
  if (!goal) return leftUndone(scene, subject.part, 'roll back: nothing to go back to');
  const words = known.get(goal.id)!;
  const asked = ledger.ask(`live ${subject.environmentId}`, words);
  const release = subject.history.ask(words, goal.id);
  // One that has just failed elsewhere, or gone out of the window, is refused.
  const options = { about: subject.part, what: `roll back to "${words}" (${goal.id})`, mayRefuse: [400, 409] };
  const outcome = await attempt(scene, options, () => deployer.rollBack(subject, goal.id));
  if (outcome.kind === 'acknowledged') {
    asked.acknowledged();
    release.acknowledged(goal.id);
  }
  if (outcome.kind === 'refused') {
    asked.refused();
    release.refused();
  }
  return outcome.kind === 'acknowledged';
}

/** Undefined where nobody answered. */
async function listDeployments(scene: Scene, { environmentId, part }: Subject) {
  const { client, targetOrganisationId } = scene.deployer;
  const outcome = await attempt(scene, { about: part, what: 'list deployments' }, () =>
    client.call('deployments.list', { body: { targetOrganisationId, environmentId, limit: 20 } }),
  );
  return outcome.kind === 'acknowledged' ? outcome.answer : undefined;
}

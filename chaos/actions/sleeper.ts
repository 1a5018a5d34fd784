import { until } from '../../e2e/platform.ts';
import { ask } from '../ask.ts';
import { attempt, describeError } from '../attempt.ts';
import { instancesOf } from '../instances-of.ts';
import { lookAfter, lookBefore } from '../look.ts';
import { kindOf } from '../outages.ts';
import { readName } from '../read-settings.ts';
import type { Scene } from '../scene.ts';
import { wordsOf } from '../words.ts';
import type { Act } from './act.ts';

/** In these settings it sleeps after two seconds, unless others come too; a busy machine takes longer to stop it. */
const SLEEPS_WITHIN_MS = { inTheCrowd: 6000, alone: 60_000 };

/** Somebody comes when it sleeps; where it does not go to sleep, they come all the same. */
export const wake: Act = async (scene, { isBelated }) => {
  const { events, outages, sleeper } = scene;
  const isAsleep = () => instancesOf(scene, sleeper).length === 0;
  await until('it sleeps', isAsleep, SLEEPS_WITHIN_MS[isBelated ? 'alone' : 'inTheCrowd']).catch(() => {});
  const wasAsleep = isAsleep();
  const startedAt = performance.now();
  const first = await answerOf(sleeper.url);
  const isTriedAgain = first !== null && isUnanswered(first);
  if (isTriedAgain) outages.noteRetried({ part: 'sleeper', message: first, startedAt, endedAt: performance.now() });
  // As HTTP clients do where nothing was answered.
  const message = isTriedAgain ? await answerOf(sleeper.url) : first;
  events.tell('sleeper', `${wasAsleep ? 'asleep' : 'awake'}, a visitor was answered ${message ?? 'well'}`);
  if (message !== null) outages.note({ part: 'sleeper', message, startedAt, endedAt: performance.now() });
  return wasAsleep && message === null;
};

/** Changes its address. */
export const rename: Act = async (scene, step) => {
  const { deployer, ledger, sleeper } = scene;
  const { client, targetOrganisationId } = deployer;
  const name = `sleeper ${step.number}`;
  const changing = { key: 'name', about: 'sleeper', read: () => readName(scene) };
  await lookBefore(scene, step, changing);
  const asked = ledger.ask('name', name);
  const outcome = await attempt(scene, { about: 'sleeper', what: `rename to "${name}"` }, () =>
    client.call('applications.rename', { body: { targetOrganisationId, applicationId: sleeper.id, name } }),
  );
  if (outcome.kind === 'acknowledged') {
    asked.acknowledged();
    sleeper.url = outcome.answer.url;
  } else if (outcome.kind === 'refused') asked.refused();
  else sleeper.url = await findUrl(scene);
  scene.addresses.add(sleeper.url);
  if (outcome.kind === 'acknowledged') await lookAfter(scene, step, changing);
  return outcome.kind === 'acknowledged';
};

const isUnanswered = (message: string): boolean => ['broken', 'refused'].includes(kindOf({ part: 'sleeper', message }));

/** Null where it is as it should be. */
async function answerOf(url: string): Promise<string | null> {
  try {
    const answer = await ask({ url });
    return answer === `200 ${wordsOf('sleeper', 0)}` ? null : answer;
  } catch (error) {
    return describeError(error);
  }
}

const TRIES = 60;

/** Where the answer was lost, whoever wants to know asks until it is told. */
async function findUrl(scene: Scene): Promise<string> {
  const { client, targetOrganisationId } = scene.deployer;
  const applicationId = scene.sleeper.id;
  for (let count = 0; count < TRIES; count++) {
    const outcome = await attempt(scene, { about: 'sleeper', what: 'where is it now' }, () =>
      client.call('applications.get', { body: { targetOrganisationId, applicationId } }),
    );
    if (outcome.kind === 'acknowledged') return outcome.answer.url;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  return scene.sleeper.url;
}

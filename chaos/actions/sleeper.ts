import { ask } from '../ask.ts';
import { attempt, describeError } from '../attempt.ts';
import { kindOf } from '../outages.ts';
import { wordsOf, type Scene } from '../scene.ts';
import type { Act } from './act.ts';

/** Somebody comes; whether it sleeps is a matter of chance. */
export const wake: Act = async (scene) => {
  const { events, outages, sleeper } = scene;
  const startedAt = performance.now();
  const message = await answerOf(sleeper.url).then((problem) =>
    // As HTTP clients do where nothing was answered.
    problem !== null && ['broken', 'refused'].includes(kindOf(problem)) ? answerOf(sleeper.url) : problem,
  );
  events.tell('sleeper', `a visitor was answered ${message ?? 'well'}`);
  if (message !== null) outages.note({ part: 'sleeper', message, startedAt, endedAt: performance.now() });
};

/** Changes its address. */
export const rename: Act = async (scene, { number }) => {
  const { deployer, ledger, sleeper } = scene;
  const { client, targetOrganisationId } = deployer;
  const name = `sleeper ${number}`;
  const asked = ledger.ask('name', name);
  const outcome = await attempt(scene, { about: 'sleeper', what: `rename to "${name}"` }, () =>
    client.call('applications.rename', { body: { targetOrganisationId, applicationId: sleeper.id, name } }),
  );
  if (outcome.kind === 'acknowledged') {
    asked.acknowledged();
    sleeper.url = outcome.answer.url;
  } else if (outcome.kind === 'refused') asked.refused();
  else sleeper.url = await findUrl(scene);
};

/** Null where it is as it should be. */
async function answerOf(url: string): Promise<string | null> {
  try {
    const answer = await ask({ url });
    return answer === `200 ${wordsOf(0)}` ? null : answer;
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

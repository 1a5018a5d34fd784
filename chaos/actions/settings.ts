import { attempt } from '../attempt.ts';
import { lookAfter, lookBefore } from '../look.ts';
import type { Step } from '../plan.ts';
import { readScale, readVariables } from '../read-settings.ts';
import type { Scene } from '../scene.ts';
import { choose, type Act } from './act.ts';

const RANGES = [
  [1, 1],
  [1, 2],
  [2, 2],
  [1, 3],
  [2, 3],
] as const;

export const scale: Act = (scene, step) => {
  const [minInstances, maxInstances] = choose(RANGES, step)!;
  const range = `${minInstances}-${maxInstances}`;
  const changed = { key: 'scale', value: range, what: `scale to ${range}`, read: () => readScale(scene), step };
  return change(scene, changed, ({ client, ...addressed }) =>
    client.call('environments.scale', { body: { ...addressed, minInstances, maxInstances } }),
  );
};

/** Of the whole set, as the endpoint has it. */
export const writeVariables: Act = (scene, step) => {
  const value = `${step.number}-${step.roll}`;
  const environmentVars = { CHAOS: value, ODD: 'a "quoted" $HOME\nand ünïcode ☂' };
  const what = `write variables ${value}`;
  return change(
    scene,
    { key: 'variables', value, what, read: () => readVariables(scene), step },
    ({ client, ...addressed }) => client.call('environments.update', { body: { ...addressed, environmentVars } }),
  );
};

type Addressed = { client: Scene['deployer']['client']; targetOrganisationId: string; environmentId: string };

interface Change {
  key: string;
  value: string;
  what: string;
  read: () => Promise<string | null>;
  step: Step;
}

async function change(
  scene: Scene,
  { key, value, what, read, step }: Change,
  work: (addressed: Addressed) => Promise<unknown>,
): Promise<boolean> {
  const { deployer, server, ledger } = scene;
  const { client, targetOrganisationId } = deployer;
  const changing = { key, about: server.part, read };
  await lookBefore(scene, step, changing);
  const asked = ledger.ask(key, value);
  const { kind } = await attempt(scene, { about: server.part, what }, () =>
    work({ client, targetOrganisationId, environmentId: server.environmentId }),
  );
  if (kind === 'acknowledged') asked.acknowledged();
  if (kind === 'refused') asked.refused();
  if (kind === 'acknowledged') await lookAfter(scene, step, changing);
  return kind === 'acknowledged';
}

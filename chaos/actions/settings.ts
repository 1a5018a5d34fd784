import { attempt } from '../attempt.ts';
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
  return change(scene, { key: 'scale', value: range, what: `scale to ${range}` }, ({ client, ...addressed }) =>
    client.call('environments.scale', { body: { ...addressed, minInstances, maxInstances } }),
  );
};

/** Of the whole set, as the endpoint has it. */
export const writeVariables: Act = (scene, { number, roll }) => {
  const value = `${number}-${roll}`;
  const environmentVars = { CHAOS: value, ODD: 'a "quoted" $HOME\nand ünïcode ☂' };
  return change(scene, { key: 'variables', value, what: `write variables ${value}` }, ({ client, ...addressed }) =>
    client.call('environments.update', { body: { ...addressed, environmentVars } }),
  );
};

type Addressed = { client: Scene['deployer']['client']; targetOrganisationId: string; environmentId: string };

async function change(
  scene: Scene,
  { key, value, what }: { key: string; value: string; what: string },
  work: (addressed: Addressed) => Promise<unknown>,
): Promise<boolean> {
  const { deployer, server, ledger } = scene;
  const { client, targetOrganisationId } = deployer;
  const asked = ledger.ask(key, value);
  const { kind } = await attempt(scene, { about: server.part, what }, () =>
    work({ client, targetOrganisationId, environmentId: server.environmentId }),
  );
  if (kind === 'acknowledged') asked.acknowledged();
  if (kind === 'refused') asked.refused();
  return kind === 'acknowledged';
}

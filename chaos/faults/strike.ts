import { until } from '../../e2e/platform.ts';
import { ask } from '../ask.ts';
import type { Outage, OutageSpec } from '../outages.ts';
import type { Step } from '../plan.ts';
import type { Scene } from '../scene.ts';

/** Does harm, and ends when all is as it was: who was killed is replaced, who was held goes on. */
export type Strike = (scene: Scene, step: Step) => Promise<void>;

/** What a platform takes for coming back that is busy with other faults too. */
export const BACK_WITHIN_MS = 180_000;

/** Until it is over, requests may fail as it says. That it is never over is told, and is for the invariants to find. */
export async function during(scene: Scene, spec: OutageSpec, work: () => Promise<void>): Promise<void> {
  const outage: Outage = scene.outages.open(spec);
  try {
    await work();
    if (spec.parts.includes('sleeper')) await untilSleeperWakes(scene);
    scene.events.tell(spec.what, 'over');
    outage.over();
  } catch (error) {
    scene.events.tell(spec.what, `NOT over: ${(error as Error).message}`);
    throw error;
  }
}

/** What wakes is the worker, which takes longer to come back than those who answer. */
async function untilSleeperWakes({ sleeper }: Scene): Promise<void> {
  const isAwake = () =>
    ask({ url: sleeper.url }).then(
      (answer) => answer.startsWith('200 '),
      () => false,
    );
  await until('who sleeps can be woken', isAwake, BACK_WITHIN_MS);
}

/** Sends a signal to a process that was just seen; false where it has ended meanwhile. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Another of the role is there, and as many as before. */
export async function untilReplaced(
  { handle }: Scene,
  { role, victim, count }: { role: string; victim: number; count: number },
): Promise<void> {
  await until(
    `another ${role} is there`,
    () => {
      const now = handle.pids(role);
      return now.length >= count && !now.includes(victim);
    },
    BACK_WITHIN_MS,
  );
}

/** The api answers, which needs the edge, the api and the store. */
export async function untilApiAnswers({ deployer, server }: Scene): Promise<void> {
  const { client, targetOrganisationId } = deployer;
  const ask = () =>
    client.call('environments.status', { body: { targetOrganisationId, environmentId: server.environmentId } });
  await until(
    'the api answers',
    () =>
      ask().then(
        () => true,
        () => false,
      ),
    BACK_WITHIN_MS,
  );
}

/** A while that the roll decides, from the first up to the last number. */
export const spell = ({ roll }: Pick<Step, 'roll'>, [leastMs, mostMs]: readonly [number, number]): number =>
  leastMs + (roll % (mostMs - leastMs));

import { until } from '../../e2e/platform.ts';
import { ask } from '../ask.ts';
import type { Outage, OutageSpec } from '../outages.ts';
import type { Step } from '../plan.ts';
import type { Scene } from '../scene.ts';

/**
 * Does harm, and ends when all is as it was: who was killed is replaced, who was held goes on. Says whether it struck.
 */
export type Strike = (scene: Scene, step: Step) => Promise<boolean>;

/** What was done. */
export interface Harm {
  /** Whether it came to what the fault is named after. */
  hasStruck: boolean;
  untilBack(): Promise<void>;
}

export const struck = (untilBack: Harm['untilBack']): Harm => ({ hasStruck: true, untilBack });

/** What a platform takes for coming back that is busy with other faults too; longer is waited for nobody. */
export const BACK_WITHIN_MS = 180_000;

/**
 * Until it is over, requests may fail as it says. That it is never over is told, and is for the invariants to find. Who
 * does the harm resolves when no more is done, to null where there was nobody to do it to.
 */
export async function during(scene: Scene, spec: OutageSpec, doHarm: () => Promise<Harm | null>): Promise<boolean> {
  const outage: Outage = scene.outages.open(spec);
  try {
    const harm = await doHarm();
    if (!harm) {
      outage.withdraw();
      return false;
    }
    outage.harmed();
    await harm.untilBack();
    if (spec.disturbs.sleeper) await untilSleeperWakes(scene);
    scene.events.tell(spec.what, 'over');
    outage.over();
    return harm.hasStruck;
  } catch (error) {
    scene.events.tell(spec.what, `NOT over: ${(error as Error).message}`);
    throw error;
  }
}

/** For a fault that finds nobody. */
export function foundNobody(scene: Scene, what: string, why = 'there is none just now'): null {
  scene.events.tell(what, why);
  return null;
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

import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { BuildFailed } from '../../build/builder.ts';
import { Fault } from '../../lib/fault.ts';
import type { Worker } from '../../jobs/worker.ts';
import { artifactOf } from '../../routing/route.ts';
import { eventually } from '../../testing/eventually.ts';
import { cancelDeployment } from './cancel-deployment.ts';
import { applicationStatusOf, environmentStatusOf } from './deployment.ts';
import { readHistory } from './deployment-store.ts';
import { createDeploymentsBench, type DeploymentsBench, type Subject } from './testing/deployments-bench.ts';
import { startStandInEdge, type StandInEdge } from './testing/stand-in-edge.ts';

const ROUNDS = 60;

/** The same run again with the same seed. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * sides);
  };
}

async function pick(bench: DeploymentsBench, { environment }: Subject, roll: (sides: number) => number) {
  const rows = await bench.store.db
    .selectFrom('deployments')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .orderBy('created_at', 'desc')
    .limit(8)
    .execute();
  return rows[roll(Math.max(1, rows.length))];
}

/** A refusal is an answer; anything else is a fault of ours. */
async function bearRefusal(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
  });
}

it.each([1, 2, 3])(
  'whatever is asked in whatever order, while workers come and go, all comes to rest and agrees (seed %i)',
  { timeout: 120_000 },
  async (seed) => {
    const roll = createDice(seed);
    await using bench = await createDeploymentsBench({
      releaseTiming: { followMs: 400, absentMs: 400, returnMs: 400 },
    });
    await using edge = startStandInEdge(bench.store);
    bench.builder.next = async (_request, { signal }) => {
      await delay(roll(30), undefined, { signal });
      if (roll(4) === 0) throw new BuildFailed('It does not build.');
      if (roll(10) === 0) throw new Error('Our own fault.');
    };
    const subjects = [await bench.settle(), await bench.settle()];
    const workers: Worker[] = [await bench.work({ name: 'a' }), await bench.work({ name: 'b' })];
    for (let round = 0; round < ROUNDS; round++) await disturb({ bench, edge, subjects, workers, roll });
    edge.isLagging = false;
    await eventually('nothing moves', async () => {
      const { rowCount } = await bench.store.pool.query(
        `select from deployments where status in ('pending', 'building', 'deploying')`,
      );
      return rowCount === 0;
    });
    for (const subject of subjects) {
      const history = await readHistory(bench.store.db, subject.environment.id);
      expect(await bench.statuses(subject)).toEqual({
        environment: environmentStatusOf(history),
        application: applicationStatusOf(history),
        live: history.liveId,
      });
      const live = history.liveId && (await bench.read(history.liveId));
      await eventually('the edge serves what is live', () => {
        const target = edge.routes.get(subject.environment.id)?.target ?? null;
        return artifactOf(target) === (live ? live.artifact_id : null);
      });
    }
    // A job is over a moment after what it did is seen.
    await eventually('no job is left', async () => {
      const { rowCount } = await bench.store.pool.query(
        `select from jobs where kind in ('deployments.build', 'deployments.release') and state in ('queued', 'running')`,
      );
      return rowCount === 0;
    });
  },
);

async function disturb(world: {
  bench: DeploymentsBench;
  edge: StandInEdge;
  subjects: Subject[];
  workers: Worker[];
  roll: (sides: number) => number;
}): Promise<void> {
  const { bench, edge, subjects, workers, roll } = world;
  const subject = subjects[roll(subjects.length)]!;
  const some = await pick(bench, subject, roll);
  const deed = roll(12);
  if (deed < 4) await bench.start(subject);
  else if (deed < 7 && some) await bearRefusal(Promise.all([bench.rollBack(subject, some.id), bench.start(subject)]));
  else if (deed < 9 && some) await bearRefusal(cancelDeployment(bench.store.db, some, bench.caller));
  else if (deed === 9) edge.isLagging = !edge.isLagging;
  else if (deed === 10) {
    const place = roll(workers.length);
    await workers[place]!.stop({ finishMs: 0 });
    workers[place] = await bench.work({ name: 'ab'[place]! });
  }
  await delay(roll(40));
}

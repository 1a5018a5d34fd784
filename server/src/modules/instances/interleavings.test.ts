import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Worker } from '../../jobs/worker.ts';
import { Fault } from '../../lib/fault.ts';
import { eventually } from '../../testing/eventually.ts';
import { readHistory } from '../deployments/deployment-store.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';

const ROUNDS = 40;

/** The same run again with the same seed. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * sides);
  };
}

/** Asks again and again; whoever is asked must answer. */
function startVisitors(bench: FleetBench, count: number) {
  const stopping = new AbortController();
  const problems: unknown[] = [];
  let answers = 0;
  const visit = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const answer = await bench.ask().catch((error: unknown) => ({ status: 0, error }));
      if (answer.status === 200) answers++;
      else problems.push(answer);
      await delay(10);
    }
  };
  const visits = Array.from({ length: count }, visit);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(visits);
      return { answers, problems };
    },
  };
}

it.each([1, 2, 3])(
  'releases, rollbacks, scaling, and workers and fleets that come and go lose no request, and all comes to rest (seed %i)',
  { timeout: 180_000 },
  async (seed) => {
    const roll = createDice(seed);
    await using bench = await createFleetBench({ settings: { LILAC_IDLE_TO_ZERO_AFTER: '400ms' } });
    const world = { bench, worker: await bench.work(), roll };
    await bench.deploy(bench.subject);
    bench.runtime.behave = () => ({ bootMs: roll(60), answerMs: roll(30) });
    const visitors = startVisitors(bench, 4);
    for (let round = 0; round < ROUNDS; round++) await disturb(world);
    for (const edge of bench.edges) edge.isLagging = false;
    await bench.scale(1, 3);
    await eventually('nothing moves', async () => {
      const { rowCount } = await bench.store.pool.query(
        `select from deployments where status in ('pending', 'building', 'deploying')`,
      );
      return rowCount === 0;
    });
    const { answers, problems } = await visitors.stop();
    expect(problems).toEqual([]);
    expect(answers).toBeGreaterThan(20);
    const { liveId } = await readHistory(bench.store.db, bench.environmentId);
    await eventually('only what is live runs', () => {
      const running = bench.running();
      return running.length > 0 && running.every(({ deploymentId }) => deploymentId === liveId);
    });
    expect(await bench.ask()).toMatchObject({ deploymentId: liveId });
  },
);

async function disturb(world: { bench: FleetBench; worker: Worker; roll: (sides: number) => number }): Promise<void> {
  const { bench, roll } = world;
  const deed = roll(12);
  if (deed < 3) await bench.start(bench.subject);
  else if (deed < 6) await rollBackSome(bench, roll);
  else if (deed < 8) await bench.scale(roll(3), 3 + roll(3));
  else if (deed === 8) {
    await world.worker.stop({ finishMs: 0 });
    world.worker = await bench.work();
  } else if (deed < 11) {
    await bench.fleet.stop();
    await bench.keep();
  } else {
    const edge = bench.edges[roll(2)]!;
    edge.isLagging = true;
    setTimeout(() => (edge.isLagging = false), roll(300));
  }
  await delay(roll(150));
}

async function rollBackSome(bench: FleetBench, roll: (sides: number) => number): Promise<void> {
  const { entries } = await readHistory(bench.store.db, bench.environmentId);
  const some = entries[roll(entries.length)]!;
  await bench.rollBack(bench.subject, some.id).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
  });
}

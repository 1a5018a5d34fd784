import { describe, expect, it } from 'vitest';
import { readEdges } from '../../routing/route-store.ts';
import { eventually } from '../../testing/eventually.ts';
import { startStandInEdge } from '../deployments/testing/stand-in-edge.ts';
import { createFleetBench, type FleetBench } from './testing/fleet-bench.ts';

const NEVER_MS = 600_000;

/** One instance of what was live finishes a request, another deployment is live, and no edge can report any more. */
async function loseStore(bench: FleetBench): Promise<string> {
  await bench.work();
  await bench.deploy(bench.subject);
  const [old] = await bench.settled(1);
  bench.edges[1].instances[old!.id] = 1;
  await bench.deploy(bench.subject);
  await bench.fleet.stop();
  for (const edge of bench.edges) await edge[Symbol.asyncDispose]();
  await bench.store.pool.query(`update edges set seen_at = now() - interval '1 minute'`);
  return old!.id;
}

/** Something that happened afterwards is seen to: the fleet has looked. */
async function lookOnce(bench: FleetBench, old: string): Promise<void> {
  const others = () => bench.running().filter(({ id }) => id !== old);
  const [before] = others();
  bench.runtime.crash(before!.id);
  await eventually('another one runs', () => others().length > 0);
}

describe('after an outage of the store', () => {
  it('an instance goes on until every edge that was there has said that it needs it no more', async () => {
    await using bench = await createFleetBench({
      fleetTiming: { edgesReturnMs: NEVER_MS },
      settings: { LILAC_DRAIN_WITHIN: '10m' },
    });
    const old = await loseStore(bench);
    await bench.keep();
    await lookOnce(bench, old);
    expect(bench.runtime.stopped).not.toContain(old);
    await using _one = startStandInEdge(bench.store, 'edge 1');
    await lookOnce(bench, old);
    expect(bench.runtime.stopped).not.toContain(old);
    await using _other = startStandInEdge(bench.store, 'edge 2');
    await eventually('it is stopped', () => bench.runtime.stopped.includes(old));
  });

  it('edges that do not come back keep nothing running for ever, and are forgotten', async () => {
    await using bench = await createFleetBench();
    const old = await loseStore(bench);
    await bench.keep();
    await eventually('one is stopped', () => bench.runtime.stopped.length > 0);
    expect(bench.runtime.stopped).toEqual([old]);
    await eventually('nobody looks out for them', async () => (await readEdges(bench.store.db, 0)).length === 0);
  });

  it('nothing is put to sleep before edges could say whether it is needed', async () => {
    await using bench = await createFleetBench({
      fleetTiming: { edgesReturnMs: NEVER_MS },
      settings: { LILAC_IDLE_TO_ZERO_AFTER: '100ms' },
    });
    await bench.work();
    await bench.setEnvironment({ min_instances: 2 });
    await bench.deploy(bench.subject);
    await bench.settled(2);
    const target = () => bench.edges[0].targets(bench.environmentId).at(-1)!;
    for (let look = 0; look < 20; look++) {
      const max = 3 + (look % 2);
      await bench.scale(0, max);
      await eventually('it was looked at', () => target().maxInstances === max);
      expect(target().instances).toHaveLength(2);
    }
  });
});

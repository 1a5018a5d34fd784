import { setTimeout as delay } from 'node:timers/promises';
import { StartRefused } from '../runtime.ts';
import { readClaims } from './claims.ts';
import type { SwarmService } from './engine.ts';
import type { OneAtATime } from './one-at-a-time.ts';
import { countSlots, countSpares } from './slots.ts';
import { isLive, placeOf, type SwarmTask, type TaskPlace } from './swarm-tasks.ts';
import type { SwarmWorld } from './swarm-world.ts';

const LOOK_MS = 50;
const ASK_AGAIN_MS = 1000;
/** Who was asked for long, and has nothing, counts otherwise than we do. */
const INSIST_MS = 10_000;
/** Who finds no machine for so long will find none. */
const NO_ROOM_MS = 10_000;

export interface FoundTask {
  task: SwarmTask;
  place: TaskPlace;
}

export interface TakeDeps {
  world: SwarmWorld;
  turns: OneAtATime;
  until: number;
  /** Those that were of no use; others are noted. */
  tried: Set<string>;
}

/**
 * A task that nobody has, and nobody else is about to claim; more are asked for where there are too few. Null when the
 * service is no more.
 */
export async function takeTask(service: SwarmService, deps: TakeDeps): Promise<FoundTask | null> {
  const { world, turns, until, tried } = deps;
  const begun = Date.now();
  let askAt = begun;
  for (;;) {
    const lookedAt = Date.now();
    const found = await findSpares(world, service);
    if (!found) return null;
    const { spares, nodes } = found;
    for (const task of spares) {
      const place = placeOf(task, nodes);
      if (place && world.addresses.isAnothers(place, service)) tried.add(task.ID);
      if (!place || world.taken.has(task.ID) || world.silent.has(task.ID) || tried.has(task.ID)) continue;
      world.taken.add(task.ID);
      return { task, place };
    }
    if (Date.now() >= askAt) {
      const isInsisting = Date.now() - begun > INSIST_MS;
      await world.leadership.certain();
      const hasAsked = await turns.run(service.Spec.Name, () => askForMore(world, service, { isInsisting, tried }));
      askAt = Date.now() + (hasAsked ? ASK_AGAIN_MS : LOOK_MS);
    }
    refuseHopeless(spares, { begun, until });
    // Where the engine is slow, it has better things to do than to be asked.
    await delay(Math.max(LOOK_MS, Date.now() - lookedAt));
  }
}

async function findSpares({ engine }: SwarmWorld, { ID, Spec }: SwarmService) {
  const [current, tasks, nodes] = await Promise.all([engine.find(Spec.Name), engine.tasks([ID]), engine.nodes()]);
  if (current?.ID !== ID) return null;
  const claimed = claimedBy(current.Spec.Labels);
  return { spares: tasks.filter((task) => isLive(task, nodes) && !claimed.has(task.ID)), nodes };
}

const claimedBy = (labels: Readonly<Record<string, string>>): Set<string> =>
  new Set(readClaims(labels).map(({ taskId }) => taskId));

/**
 * The number is only ever raised here: Swarm may still be at making those that it was asked for before. False when it
 * is still at removing some that it was told to, and counts them until then.
 */
async function askForMore(
  { engine, waiting, silent }: SwarmWorld,
  { ID, Spec }: SwarmService,
  { isInsisting, tried }: { isInsisting: boolean; tried: ReadonlySet<string> },
): Promise<boolean> {
  let isGoing = false;
  await engine.change(ID, async ({ Spec: { Labels, Mode } }) => {
    const tasks = await engine.tasks([ID]);
    const { Replicas: replicas } = Mode.Replicated;
    // Whoever was of no use is nobody's spare.
    const spares = countSpares(tasks, new Set([...claimedBy(Labels), ...tried, ...silent]));
    const missing = (waiting.get(Spec.Name) ?? 0) - spares;
    const there = countSlots(tasks);
    isGoing = replicas < there && !isInsisting;
    if (missing <= 0 || isGoing) return null;
    return { replicas: Math.max(replicas, (isInsisting ? Math.max(replicas, there) : there) + missing) };
  });
  return !isGoing;
}

function refuseHopeless(spares: readonly SwarmTask[], { begun, until }: { begun: number; until: number }): void {
  const waitedMs = Date.now() - begun;
  const trouble = spares.map(({ Status }) => Status.Err).find(Boolean);
  if (trouble && waitedMs > NO_ROOM_MS) throw new StartRefused(`The swarm has no machine for it: ${trouble}.`);
  if (Date.now() > until) throw new StartRefused(`The swarm did not start it${trouble ? `: ${trouble}` : ' in time'}.`);
}

import { isOver, isWanted, type SwarmTask } from './swarm-tasks.ts';

/** A place that Swarm keeps a task in. Those that hold nothing, and will not again, it does not count; nor do we. */
type Slot = { state: 'running' | 'complete'; nodeId: string } | { state: 'unsettled' };

/** As many as Swarm counts: it makes new tasks when a service wants more than this. */
export const countSlots = (tasks: readonly SwarmTask[]): number => slotsOf(tasks).length;

/** Slots that hold a task, or will hold the next one, which nobody has claimed. */
export function countSpares(tasks: readonly SwarmTask[], claimed: ReadonlySet<string>): number {
  return groupBySlot(tasks).filter((slot) => {
    const wanted = slot.filter(isWanted);
    const isKept = wanted.some((task) => !isOver(task) && claimed.has(task.ID));
    return wanted.some(({ Status }) => Status.State !== 'complete') && !isKept;
  }).length;
}

/**
 * How far the number of tasks can be lowered so that Swarm removes none that runs. It removes slots with no machine
 * first, then those that are the most-th on theirs, and on each machine it counts running ones first. So what comes
 * behind as many as the fullest machine runs has ended, whichever it prefers of equals.
 *
 * Between this look and Swarm's own, running tasks may fail and be made anew on other machines; each puts at most one
 * more among those that stay, so as many more stay. (It makes them anew after half a second, so that none of these
 * runs by then.) One that ends well stays where it is. Whatever is about to begin would be counted by guess: then
 * nothing is lowered.
 */
export function lowerReplicas(replicas: number, tasks: readonly SwarmTask[]): number {
  const slots = slotsOf(tasks);
  const settled = slots.filter((slot) => slot.state !== 'unsettled');
  if (settled.length < slots.length || replicas > slots.length) return replicas;
  const machines = [...Map.groupBy(settled, ({ nodeId }) => nodeId).values()].map((all) => ({
    all: all.length,
    running: all.filter(({ state }) => state === 'running').length,
  }));
  const most = Math.max(0, ...machines.map(({ running }) => running));
  const kept = machines.reduce((sum, { all, running }) => sum + Math.min(all, most) + running, 0);
  return Math.min(replicas, kept);
}

const slotsOf = (tasks: readonly SwarmTask[]): Slot[] => groupBySlot(tasks).flatMap((slot) => describeSlot(slot) ?? []);

/** Null for one that is not counted. */
function describeSlot(tasks: readonly SwarmTask[]): Slot | null {
  const wanted = tasks.filter(isWanted);
  if (wanted.length > 1) return { state: 'unsettled' };
  const [only = newest(tasks)] = wanted;
  const { NodeID: nodeId = '', Status } = only;
  if (Status.State === 'complete') return { state: 'complete', nodeId };
  if (wanted.length === 0) return null;
  const isRunning = Status.State === 'running' && only.DesiredState === 'running' && nodeId !== '';
  return isRunning ? { state: 'running', nodeId } : { state: 'unsettled' };
}

const groupBySlot = (tasks: readonly SwarmTask[]): SwarmTask[][] => [
  ...Map.groupBy(tasks, ({ Slot: number }) => number).values(),
];

const newest = (tasks: readonly SwarmTask[]): SwarmTask =>
  tasks.reduce((last, task) => (timeOf(task) > timeOf(last) ? task : last));

const timeOf = ({ Status }: SwarmTask): number => Date.parse(Status.Timestamp ?? '') || 0;

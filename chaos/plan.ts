import { createRandom, type Random } from './random.ts';

/** What people do. Those of one lane come one after another, so that it is certain which of them came last. */
export const actions = {
  'deploy-site': { lane: 'site', weight: 3 },
  'roll-back-site': { lane: 'site', weight: 2 },
  'deploy-server': { lane: 'server', weight: 3 },
  'roll-back-server': { lane: 'server', weight: 2 },
  'cancel-server': { lane: 'server', weight: 1 },
  scale: { lane: 'scale', weight: 3 },
  'write-variables': { lane: 'variables', weight: 4 },
  wake: { lane: 'sleeper', weight: 3 },
  rename: { lane: 'sleeper', weight: 1 },
  'create-database': { lane: 'databases', weight: 1 },
  'drop-database': { lane: 'databases', weight: 1 },
  'create-application': { lane: 'applications', weight: 1 },
  'delete-application': { lane: 'applications', weight: 1 },
  'create-folder': { lane: 'folders', weight: 3 },
} as const satisfies Record<string, ActionKind>;

/** What befalls the platform. Each has a lane of its own: different ones may come together. */
export const faults = {
  'kill-api': { weight: 3 },
  'kill-worker': { weight: 4 },
  'kill-first-edge': { weight: 2 },
  'kill-second-edge': { weight: 2 },
  'kill-supervisor': { weight: 2 },
  'kill-store': { weight: 2 },
  'kill-instance': { weight: 3 },
  'kill-database': { weight: 3 },
  'stop-store': { weight: 2 },
  'hold-api': { weight: 1 },
  'hold-worker': { weight: 2 },
  'hold-edge': { weight: 1 },
  'hold-store': { weight: 1 },
  'cut-store': { weight: 2 },
  'cut-instance': { weight: 2 },
  'fill-instance': { weight: 1 },
  // Writing a gigabyte takes long, and the machine is busy meanwhile.
  'fill-database': { weight: 1, everyMinutes: 8 },
} as const satisfies Record<string, FaultKind>;

interface ActionKind {
  lane: string;
  weight: number;
}

interface FaultKind {
  weight: number;
  /** Not more often than once in so many minutes; a plan that is half as long has none. */
  everyMinutes?: number;
}

export type ActionName = keyof typeof actions;
export type FaultName = keyof typeof faults;

export interface Step {
  number: number;
  atMs: number;
  lane: string;
  name: ActionName | FaultName;
  /** Decides whatever the step has to choose, among what is there by then. */
  roll: number;
  /** It comes once more when the plan is over, and nothing else happens: it may take its time. */
  isBelated?: true;
}

export interface PlanOptions {
  seed: number;
  minutes: number;
  /** Left out: all of them. */
  faultNames?: readonly FaultName[];
}

const ACTION_EVERY_MS = 1500;
const FAULT_EVERY_MS = 7000;
/** So that there is something to disturb. */
const FIRST_FAULT_MS = 2000;
const ROLLS = 2 ** 30;

/** What happens and when: the same for the same options. */
export function planChaos({ seed, minutes, faultNames = allFaults }: PlanOptions): Step[] {
  const random = createRandom(seed);
  const lengthMs = minutes * 60_000;
  const drawAction = everyKindFirst(random, Object.keys(actions) as ActionName[], (name) => actions[name].weight);
  const wanted = faultNames.filter((name) => mostOf(name, minutes) > 0);
  const drawFault = everyKindFirst(random, wanted, (name) => faults[name].weight);
  const counts = new Map<FaultName, number>();
  const mayCome = (name: FaultName) => (counts.get(name) ?? 0) < mostOf(name, minutes);
  const drawn: Omit<Step, 'number'>[] = [
    ...times(random, { lengthMs, everyMs: ACTION_EVERY_MS, firstMs: 0 }).map((atMs) => {
      const name = drawAction(() => true);
      return { atMs, lane: actions[name].lane, name, roll: random.below(ROLLS) };
    }),
    ...times(random, { lengthMs, everyMs: FAULT_EVERY_MS, firstMs: FIRST_FAULT_MS }).map((atMs) => {
      const name = drawFault(mayCome);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return { atMs, lane: name, name, roll: random.below(ROLLS) };
    }),
  ];
  return drawn.sort((a, b) => a.atMs - b.atMs).map((step, at) => ({ number: at + 1, ...step }));
}

export const isFault = (name: Step['name']): name is FaultName => Object.hasOwn(faults, name);

/** A line for each step, for people. */
export function describePlan(steps: readonly Step[]): string {
  return steps
    .map(
      ({ number, atMs, name }) =>
        `${String(number).padStart(5)}  ${seconds(atMs)}  ${isFault(name) ? '!' : ' '} ${name}`,
    )
    .join('\n');
}

const allFaults = Object.keys(faults) as FaultName[];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`.padStart(9);

function mostOf(name: FaultName, minutes: number): number {
  const { everyMinutes }: FaultKind = faults[name];
  return everyMinutes === undefined ? Infinity : Math.round(minutes / everyMinutes);
}

/** Apart by half of it up to one and a half. */
function times(random: Random, { lengthMs, everyMs, firstMs }: { lengthMs: number; everyMs: number; firstMs: number }) {
  const found: number[] = [];
  for (let atMs = firstMs; atMs < lengthMs; atMs += everyMs / 2 + random.below(everyMs)) found.push(Math.round(atMs));
  return found;
}

/** Each kind once, in any order, and then by weight: a short plan has many kinds, a long one all. */
function everyKindFirst<Name>(random: Random, names: readonly Name[], weightOf: (name: Name) => number) {
  const first = random.shuffle(names);
  const weighted = names.flatMap((name) => Array.from({ length: weightOf(name) }, () => name));
  return (mayCome: (name: Name) => boolean): Name =>
    first.shift() ?? random.pick(weighted.filter((name) => mayCome(name)));
}

/** What the autoscaler looks at, of one environment at one moment. */
export interface ScaleInput {
  nowMs: number;
  /** Requests at instances, over all edges. */
  inFlight: number;
  /** Requests that are held, over all edges. */
  waiting: number;
  /** Whether any request came since the last look, however short it was. */
  hasNewRequests: boolean;
  /** Instances that serve or are starting: what starts counts as capacity. */
  running: number;
  /** Those beside them that nobody counts on, since they are ill; they may be all that there is to answer. */
  ill: number;
  /** The processor use of those that have been up for a while, each relative to what it may use; 1 is all of it. */
  cpuUses: readonly number[];
  concurrency: number;
  /** Percent. */
  cpuTarget: number;
  min: number;
  max: number;
}

export interface ScaleTiming {
  scaleDownAfterMs: number;
  idleToZeroAfterMs: number;
}

/** What the autoscaler remembers from one look to the next. */
export interface ScaleMemory {
  sinceMs: number;
  lastRequestAtMs: number;
  /** Smoothed, so that one crowded moment among many idle ones is not taken for the load. */
  inFlight: number;
  lookedAtMs: number;
  /** Needs of the window, the oldest first; each is higher than all that follow. */
  needs: readonly { atMs: number; need: number }[];
}

/** An instance that is this full leaves room for what comes while another one starts. */
const COMFORTABLE = 0.8;
const SMOOTHING_MS = 3000;

/** `isAwake`: something runs, or is about to; then the time to zero begins now. */
export function beginScaling(nowMs: number, isAwake: boolean): ScaleMemory {
  const lastRequestAtMs = isAwake ? nowMs : -Infinity;
  return { sinceMs: nowMs, lastRequestAtMs, inFlight: 0, lookedAtMs: nowMs, needs: [] };
}

/**
 * Edges cannot be heard: of the time since the last look nothing is known, so it does not count. It is not taken for
 * use either: on a machine that is so busy that it is late now and then, nothing would ever fall asleep. A request that
 * came meanwhile is in what edges have counted when they are heard again.
 */
export function suspendScaling(memory: ScaleMemory, nowMs: number, isAwake: boolean): ScaleMemory {
  const unknownMs = Math.max(0, nowMs - memory.lookedAtMs);
  const isNew = isAwake && memory.lastRequestAtMs === -Infinity;
  return { ...memory, sinceMs: nowMs, lastRequestAtMs: isNew ? nowMs : memory.lastRequestAtMs + unknownMs };
}

/**
 * How many instances there should be: the larger of what the requests and what the processors need, within
 * the bounds. Up at once; down when less was needed during the whole of a window; to none when there was
 * no request for long.
 */
export function autoscale(
  before: ScaleMemory,
  input: ScaleInput,
  timing: ScaleTiming,
): { desired: number; memory: ScaleMemory } {
  const { nowMs } = input;
  const smoothed = smooth(before, input);
  // Who was answered without an instance does not need one.
  const isBusy = input.inFlight + input.waiting > 0 || (input.hasNewRequests && input.running + input.ill > 0);
  const lastRequestAtMs = isBusy ? nowMs : before.lastRequestAtMs;
  const need = Math.max(needOfRequests(input, smoothed), needOfProcessors(input));
  const needs = remember(before.needs, { atMs: nowMs, need }, nowMs - timing.scaleDownAfterMs);
  const memory = { ...before, lastRequestAtMs, inFlight: smoothed, lookedAtMs: nowMs, needs };
  if (!isBusy && nowMs - lastRequestAtMs >= timing.idleToZeroAfterMs) {
    return { desired: clamp(0, input), memory };
  }
  // Of the time before the first look nothing is known: what runs may have been needed.
  const isWindowFull = nowMs - before.sinceMs >= timing.scaleDownAfterMs;
  const floor = isWindowFull ? 1 : Math.max(1, input.running);
  return { desired: clamp(Math.max(floor, needs[0]!.need), input), memory };
}

/** Rises at once while requests wait: they are there. */
function smooth({ inFlight, lookedAtMs }: ScaleMemory, input: ScaleInput): number {
  if (input.waiting > 0) return Math.max(inFlight, input.inFlight);
  const share = 1 - Math.exp(-Math.max(0, input.nowMs - lookedAtMs) / SMOOTHING_MS);
  return inFlight + (input.inFlight - inFlight) * share;
}

function needOfRequests({ inFlight, waiting, concurrency }: ScaleInput, smoothed: number): number {
  const isUnderWay = inFlight + waiting > 0;
  const toHoldAll = waiting > 0 ? Math.ceil((inFlight + waiting) / concurrency) : 0;
  const toBeComfortable = ceil(smoothed / Math.max(1, COMFORTABLE * concurrency));
  return Math.max(isUnderWay ? 1 : 0, toHoldAll, toBeComfortable);
}

function needOfProcessors({ cpuUses, cpuTarget }: ScaleInput): number {
  const total = cpuUses.reduce((sum, use) => sum + use, 0);
  return ceil(total / (cpuTarget / 100));
}

/** What is left of a load after the last request is no need. */
const ceil = (value: number): number => Math.ceil(value - 0.01);

function remember(
  needs: ScaleMemory['needs'],
  latest: { atMs: number; need: number },
  oldestMs: number,
): ScaleMemory['needs'] {
  const higher = needs.filter(({ atMs, need }) => atMs > oldestMs && need > latest.need);
  return [...higher, latest];
}

function clamp(count: number, { min, max }: ScaleInput): number {
  return Math.min(max, Math.max(min, count));
}

import { metricNames, type MetricName, type MetricRange } from '@lilac/contract/states';
import type { Db } from '../../db/pool.ts';
import type { EnvironmentRow } from '../../db/schema.ts';
import { minuteOf, PLATFORM } from '../../metrics/minute-row.ts';
import { countPlatformLooks, readRequests, readSteps, type SeriesRow } from './metrics-store.ts';
import {
  measures,
  NOTHING,
  percentiles,
  startOf,
  stepsOf,
  type Measure,
  type StepFigures,
  type Steps,
} from './metrics.ts';

export interface Point {
  at: Date;
  value: number;
}

export interface DetailedMetrics {
  steps: Steps;
  /** In the contract's order. */
  series: [MetricName, Point[]][];
  /** Beside the latency's own. */
  percentiles: { p50: Point[]; p99: Point[] } | null;
}

export async function readDetailed(
  db: Db,
  environment: Pick<EnvironmentRow, 'id' | 'created_at'>,
  { range, names, nowMs }: { range: MetricRange; names: readonly MetricName[]; nowMs: number },
): Promise<DetailedMetrics> {
  const steps = stepsOf(range, nowMs);
  const rows = Map.groupBy(await readSteps(db, environment.id, steps), ({ environmentId }) => environmentId);
  const first = firstStepOf(environment.created_at, steps);
  const platform = await since(db, environment.created_at, byStep(rows.get(PLATFORM)), { steps, first });
  const known = { steps, first, own: byStep(rows.get(environment.id)), platform };
  const seriesOf = (measure: Measure) => measureSteps(measure, known);
  return {
    steps,
    series: metricNames.filter((name) => names.includes(name)).map((name) => [name, seriesOf(measures[name])]),
    percentiles: names.includes('latency') ? { p50: seriesOf(percentiles.p50), p99: seriesOf(percentiles.p99) } : null,
  };
}

/** Requests a minute of the last hour, of those environments that are the organisation's. */
export async function readSparklines(
  db: Db,
  { organisationId, environmentIds, nowMs }: { organisationId: string; environmentIds: string[]; nowMs: number },
): Promise<[string, Point[]][]> {
  const steps = stepsOf('1h', nowMs);
  const rows = await readRequests(db, { organisationId, environmentIds, firstMinute: steps.firstMinute });
  const created = new Map(
    rows.flatMap(({ environmentId, createdAt }) => (createdAt ? [[environmentId, createdAt]] : [])),
  );
  const counted = rows.flatMap(({ environmentId, minute, requests }): SeriesRow[] =>
    minute === null || requests === null
      ? []
      : [{ environmentId, step: minute - steps.firstMinute, ...requestsOnly(requests) }],
  );
  const byEnvironment = Map.groupBy(counted, ({ environmentId }) => environmentId);
  const platform = byStep(byEnvironment.get(PLATFORM));
  return [...new Set(environmentIds)].flatMap((id): [string, Point[]][] => {
    const createdAt = created.get(id);
    if (!createdAt) return [];
    const known = { steps, first: firstStepOf(createdAt, steps), own: byStep(byEnvironment.get(id)), platform };
    return [[id, measureSteps(measures.requestCount, known)]];
  });
}

/** What is known of each step of an environment, and of the platform beside it. */
interface Known {
  steps: Steps;
  /** The first in which the environment was there. */
  first: number;
  own: ReadonlyMap<number, StepFigures>;
  platform: ReadonlyMap<number, StepFigures>;
}

const byStep = (rows: readonly SeriesRow[] = []): Map<number, StepFigures> =>
  new Map(rows.map((row) => [row.step, row]));

function measureSteps(measure: Measure, { steps, first, own, platform }: Known): Point[] {
  const points: Point[] = [];
  for (let step = first; step < steps.count; step++) {
    const value = measure(own.get(step) ?? NOTHING, platform.get(step) ?? NOTHING);
    if (value !== null) points.push({ at: startOf(steps, step), value });
  }
  return points;
}

/** Nothing is told of the time before the environment was there. */
function firstStepOf(createdAt: Date, { firstMinute, stepMinutes }: Steps): number {
  return Math.max(0, Math.floor((minuteOf(createdAt.getTime()) - firstMinute) / stepMinutes));
}

/** Of the step in which the environment was made, the platform's looks from then on: it may be as young itself. */
async function since(
  db: Db,
  createdAt: Date,
  platform: Map<number, StepFigures>,
  { steps, first }: { steps: Steps; first: number },
): Promise<Map<number, StepFigures>> {
  const { traffic, usage } = platform.get(first) ?? NOTHING;
  if (!usage || createdAt <= startOf(steps, first)) return platform;
  const looks = await countPlatformLooks(db, { from: createdAt, to: startOf(steps, first + 1) });
  return platform.set(first, { traffic, usage: { ...usage, looks } });
}

const requestsOnly = (requests: number): StepFigures => ({
  traffic: { requests, bytesIn: 0, bytesOut: 0, latencies: null },
  usage: null,
});

import type { databases } from '@lilac/contract/databases';
import type { OutputOf } from '@lilac/contract/endpoint';
import type { MetricRange } from '@lilac/contract/states';
import type { Db } from '../../db/pool.ts';
import { startOf, stepsOf } from '../metrics/metrics.ts';
import { readUsage, type UsageStep } from './usage-store.ts';

type Metrics = OutputOf<(typeof databases)['databases.metrics']>['metrics'];

/** How finely each is told: percent and averages of counts in hundredths, bytes whole. */
const round: Record<keyof Metrics, (value: number) => number> = {
  cpu: hundredths,
  memory: Math.round,
  storage: Math.round,
  connections: hundredths,
};

export async function readDatabaseMetrics(
  db: Db,
  databaseId: string,
  { range, nowMs }: { range: MetricRange; nowMs: number },
): Promise<Metrics> {
  const steps = stepsOf(range, nowMs);
  const measured = (await readUsage(db, databaseId, steps)).filter(({ step }) => step < steps.count);
  const seriesOf = (name: keyof Metrics & keyof UsageStep) =>
    measured.flatMap((figures) => {
      const value = figures[name];
      return value === null ? [] : [{ t: startOf(steps, figures.step).toISOString(), v: round[name](value) }];
    });
  return {
    cpu: seriesOf('cpu'),
    memory: seriesOf('memory'),
    storage: seriesOf('storage'),
    connections: seriesOf('connections'),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

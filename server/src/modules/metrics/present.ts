import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { DeploymentType } from '@lilac/contract/states';
import { startOf } from './metrics.ts';
import type { DetailedMetrics, Point } from './read-series.ts';

type Detailed = OutputOf<Endpoints['metrics.detailed']>;
type Sparklines = OutputOf<Endpoints['metrics.sparkline']>;

const presentPoints = (points: readonly Point[]) => points.map(({ at, value }) => ({ t: at.toISOString(), v: value }));

export function presentDetailed(
  { steps, series, percentiles }: DetailedMetrics,
  of: { environmentId: string; deploymentType: DeploymentType; now: Date },
): Detailed {
  return {
    environmentId: of.environmentId,
    deploymentType: of.deploymentType,
    timeRange: {
      startTime: startOf(steps, 0).toISOString(),
      endTime: of.now.toISOString(),
      stepSeconds: steps.stepMinutes * 60,
    },
    metrics: Object.fromEntries(series.map(([name, points]) => [name, presentPoints(points)])),
    ...(percentiles && {
      latencyPercentiles: { p50: presentPoints(percentiles.p50), p99: presentPoints(percentiles.p99) },
    }),
  };
}

export function presentSparklines(lines: readonly [string, Point[]][]): Sparklines {
  return { environments: Object.fromEntries(lines.map(([id, points]) => [id, presentPoints(points)])) };
}

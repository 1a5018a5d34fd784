import type { OutputOf } from '../../../lib/api-types.ts';
import { formatSize } from '../../../lib/format-size.ts';
import type { PlotSeries } from '../../../parts/plot/data.ts';

type Metrics = OutputOf<'databases.metrics'>['metrics'];
type Point = Metrics['cpu'][number];

const shown = {
  cpu: { label: 'Processor', unit: 'percent' },
  memory: { label: 'Memory', unit: 'bytes' },
  storage: { label: 'Storage', unit: 'bytes' },
  connections: { label: 'Connections', unit: 'count' },
} as const;

/** A plot for each. */
export function seriesOf(metrics: Metrics): Record<keyof Metrics, PlotSeries[]> {
  const of = (name: keyof Metrics): PlotSeries[] => [{ ...shown[name], points: metrics[name].map(pointOf) }];
  return { cpu: of('cpu'), memory: of('memory'), storage: of('storage'), connections: of('connections') };
}

const pointOf = ({ t, v }: Point) => [Date.parse(t), v] as const;

/** How full it is, and how fast it fills. */
export function describeStorage(points: readonly Point[], storageGb: number): { percent: number; words: string } {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return { percent: 0, words: `${storageGb} GB of storage; nothing was measured` };
  const percent = Math.min(100, Math.round((100 * last.v) / (storageGb * 2 ** 30)));
  const grown = last.v - first.v;
  const change = grown === 0 ? 'no change' : `${grown > 0 ? '+' : '−'}${formatSize(Math.abs(grown))}`;
  return { percent, words: `${formatSize(last.v)} of ${storageGb} GB used, ${change}` };
}

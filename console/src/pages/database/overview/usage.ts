import type { OutputOf } from '../../../lib/api-types.ts';
import { formatSize } from '@lilac/contract/format-size';
import type { PlotSeries } from '../../../parts/plot/data.ts';
import type { Database } from '../../databases/describe-database.ts';

type Metrics = OutputOf<'databases.metrics'>['metrics'];
type Point = Metrics['cpu'][number];

const shown = {
  cpu: { label: 'CPU', unit: 'percent' },
  memory: { label: 'Memory', unit: 'bytes' },
  storage: { label: 'Storage', unit: 'bytes' },
  connections: { label: 'Connections', unit: 'average' },
} as const;

/** A plot for each. */
export function seriesOf(metrics: Metrics): Record<keyof Metrics, PlotSeries[]> {
  const of = (name: keyof Metrics): PlotSeries[] => [{ ...shown[name], points: metrics[name].map(pointOf) }];
  return { cpu: of('cpu'), memory: of('memory'), storage: of('storage'), connections: of('connections') };
}

const pointOf = ({ t, v }: Point) => [Date.parse(t), v] as const;

/** Setting a server up takes storage that it gives back soon after. */
const SETTLING_MS = 10 * 60_000;

interface Storage {
  percent: number;
  words: string;
  /** By how much that has changed; null while nothing can be said of it. */
  change: string | null;
  /** The change is since the database was set up, which is less long ago than the range. */
  isWholeLife: boolean;
}

/** How full it is, and how fast it fills. */
export function describeStorage(
  points: readonly Point[],
  { storage_gb, created_at }: Pick<Database, 'storage_gb' | 'created_at'>,
): Storage {
  const last = points.at(-1);
  if (!last) {
    return { percent: 0, words: `${storage_gb} GB of storage`, change: 'nothing was measured', isWholeLife: false };
  }
  const percent = Math.min(100, Math.round((100 * last.v) / (storage_gb * 2 ** 30)));
  const words = `${formatSize(last.v)} of ${storage_gb} GB used`;
  const isWholeLife = Date.parse(points[0]!.t) < Date.parse(created_at) + SETTLING_MS;
  // The least that it ever took is what a new one takes.
  const first = isWholeLife ? Math.min(...points.map(({ v }) => v)) : points[0]!.v;
  // Of one that gave back what setting it up took, the plot falls: that it grew would not be believed.
  const isKnown = points.length > 1 && !(isWholeLife && (first === last.v || last.v < points[0]!.v));
  return { percent, words, change: isKnown ? describeChange(last.v - first) : null, isWholeLife };
}

function describeChange(bytes: number): string {
  return bytes === 0 ? 'no change' : `${bytes > 0 ? '+' : '−'}${formatSize(Math.abs(bytes))}`;
}

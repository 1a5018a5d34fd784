import type { MetricRange } from '@lilac/contract/states';
import { useMemo } from 'react';
import type { OutputOf } from '../../../lib/api-types.ts';
import { Link } from '../../../lib/router.tsx';
import { useCall } from '../../../lib/use-call.ts';
import { Loading } from '../../../parts/loading.tsx';
import { Plot } from '../../../parts/plot/plot.tsx';
import { RangeButtons, useRange } from '../../../parts/range-buttons.tsx';
import { Section } from '../../../parts/section.tsx';
import { type Database, memoryMbOf } from '../../databases/describe-database.ts';
import { useTiers } from '../../databases/use-tiers.ts';
import { useAddressed } from '../use-addressed.ts';
import { describeStorage, seriesOf } from './usage.ts';

type Metrics = OutputOf<'databases.metrics'>['metrics'];

const REFRESH_MS = 30_000;
const labels: Record<MetricRange, string> = { '1h': 'hour', '6h': '6 hours', '24h': '24 hours', '7d': '7 days' };

/** What it uses of what it has. */
export function UsageSection({ database }: { database: Database }) {
  const [range, choose] = useRange();
  const body = { ...useAddressed(database), timeRange: range };
  const measured = useCall('databases.metrics', { body }, { refreshMs: REFRESH_MS });
  return (
    <Section title="Usage">
      <RangeButtons range={range} onChoose={choose} />
      <Loading of={measured}>
        {({ metrics }) => (
          <>
            <StorageLine database={database} metrics={metrics} range={range} />
            <Plots database={database} metrics={metrics} range={range} />
          </>
        )}
      </Loading>
    </Section>
  );
}

interface Measured {
  database: Database;
  metrics: Metrics;
  range: MetricRange;
}

function StorageLine({ database, metrics, range }: Measured) {
  const { percent, words, change, isWholeLife } = describeStorage(metrics.storage, database);
  return (
    <div className="stack storage-line">
      <p>
        {words}
        {change && (
          <>
            , {change}{' '}
            <span className="meta">{isWholeLife ? 'since it was set up' : `in the last ${labels[range]}`}</span>
          </>
        )}
        .
      </p>
      <div
        className="meter"
        role="meter"
        aria-label="Storage used"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className={percent >= 85 ? 'meter-full' : undefined} style={{ width: `${percent}%` }} />
      </div>
      {percent >= 85 && (
        <p className="notice notice-warning">
          Near the limit it takes no more writes.{' '}
          <Link href={`/databases/${encodeURIComponent(database.id)}/settings`}>Give it more storage</Link>
        </p>
      )}
    </div>
  );
}

function Plots({ database, metrics, range }: Measured) {
  const memoryMb = memoryMbOf(database.tier, useTiers());
  const series = useMemo(() => seriesOf(metrics), [metrics]);
  return (
    <div className="plots">
      <Plot title="CPU, percent of limit" series={series.cpu} range={range} />
      <Plot title="Memory" series={series.memory} range={range} {...(memoryMb && { most: memoryMb * 2 ** 20 })} />
      <Plot title="Storage" series={series.storage} range={range} />
      {/* Of a minute they are counted once. */}
      <Plot
        title={range === '1h' ? 'Connections' : 'Connections, on average'}
        series={series.connections}
        range={range}
      />
    </div>
  );
}

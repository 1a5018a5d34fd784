import type { MetricRange } from '@lilac/contract/states';
import type { OutputOf } from '../../../lib/api-types.ts';
import { zeroBands } from '../../../lib/metric-series.ts';
import { useParam } from '../../../lib/router.tsx';
import { useCall } from '../../../lib/use-call.ts';
import { Loading } from '../../../parts/loading.tsx';
import { Plot } from '../../../parts/plot/plot.tsx';
import { RangeButtons, useRange } from '../../../parts/range-buttons.tsx';
import { useMember } from '../../../shell/member-context.ts';
import { plotsOf } from './plots-of.ts';

/** A step of the longest range lasts for hours. */
const refreshMs: Record<MetricRange, number> = { '1h': 10_000, '6h': 30_000, '24h': 60_000, '7d': 300_000 };

export function MetricsTab() {
  const environmentId = useParam('environmentId');
  const targetOrganisationId = useMember().organisation.id;
  const [range, choose] = useRange();
  const body = { targetOrganisationId, environmentId, timeRange: range };
  const metrics = useCall('metrics.detailed', { body }, { refreshMs: refreshMs[range] });
  return (
    <>
      <RangeButtons range={range} onChoose={choose} />
      <Loading of={metrics}>{(data) => <Plots data={data} range={range} />}</Loading>
    </>
  );
}

function Plots({ data, range }: { data: OutputOf<'metrics.detailed'>; range: MetricRange }) {
  const bands = data.deploymentType === 'container' ? zeroBands(data.timeRange, data.metrics.instanceCount) : [];
  return (
    <>
      <div className="env-plots">
        {plotsOf(data).map(({ title, series, most }) => (
          <div key={title} className="card">
            <Plot {...{ title, series, range, bands }} {...(most !== undefined && { most })} />
          </div>
        ))}
      </div>
      {bands.length > 0 && <p className="meta env-band-key">Hatched: no instance was running.</p>}
    </>
  );
}

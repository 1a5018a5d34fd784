import { type MetricRange, metricRanges } from '@lilac/contract/states';
import type { OutputOf } from '../../../lib/api-types.ts';
import { zeroBands } from '../../../lib/metric-series.ts';
import { useParam, useQuery } from '../../../lib/router.tsx';
import { useCall } from '../../../lib/use-call.ts';
import { Button } from '../../../parts/button.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Plot } from '../../../parts/plot/plot.tsx';
import { useMember } from '../../../shell/member-context.ts';
import { plotsOf } from './plots-of.ts';

const names: Record<MetricRange, string> = { '1h': '1 hour', '6h': '6 hours', '24h': '24 hours', '7d': '7 days' };
/** A step of the longest range lasts for hours. */
const refreshMs: Record<MetricRange, number> = { '1h': 10_000, '6h': 30_000, '24h': 60_000, '7d': 300_000 };

export function MetricsTab() {
  const environmentId = useParam('environmentId');
  const targetOrganisationId = useMember().organisation.id;
  const [asked, setAsked] = useQuery('range');
  const range = metricRanges.find((each) => each === asked) ?? '1h';
  const body = { targetOrganisationId, environmentId, timeRange: range };
  const metrics = useCall('metrics.detailed', { body }, { refreshMs: refreshMs[range] });
  return (
    <>
      <div className="toolbar">
        <div className="segments" role="group" aria-label="Range">
          {metricRanges.map((each) => (
            <Button key={each} aria-pressed={each === range} onClick={() => setAsked(each === '1h' ? '' : each)}>
              {names[each]}
            </Button>
          ))}
        </div>
      </div>
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
      {bands.length > 0 && <p className="meta env-band-key">Shaded: no instance ran.</p>}
    </>
  );
}

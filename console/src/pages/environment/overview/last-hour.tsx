import type { OutputOf } from '../../../lib/api-types.ts';
import { formatQuantity, type Unit } from '../../../lib/metric-format.ts';
import { latestOf, sumOfPoints } from '../../../lib/metric-series.ts';
import { Link } from '../../../lib/router.tsx';
import { Section } from '../../../parts/section.tsx';
import { Sparkline } from '../../../parts/sparkline/sparkline.tsx';

interface LastHourProps {
  environmentId: string;
  hour: OutputOf<'metrics.detailed'> | undefined;
}

/** Small figures; all of them are a tab away. */
export function LastHour({ environmentId, hour }: LastHourProps) {
  const { requestCount = [], latency, bandwidthOut } = hour?.metrics ?? {};
  return (
    <Section title="Last hour">
      <dl className="env-figures">
        {requestCount.length < 2 ? (
          <Figure label="Requests" value={hour ? sumOfPoints(requestCount) : null} unit="count" />
        ) : (
          <div>
            <dt className="meta">Requests</dt>
            <dd>
              <Sparkline points={requestCount} />
            </dd>
          </div>
        )}
        <Figure label="Latency, 95th percentile" value={latestOf(latency)} unit="ms" />
        <Figure label="Sent" value={hour ? sumOfPoints(bandwidthOut) : null} unit="bytes" />
      </dl>
      <div className="actions">
        <Link href={`/environments/${environmentId}/metrics`}>All metrics</Link>
      </div>
    </Section>
  );
}

function Figure({ label, value, unit }: { label: string; value: number | null; unit: Unit }) {
  return (
    <div>
      <dt className="meta">{label}</dt>
      <dd className="env-figure">{value === null ? '–' : formatQuantity(value, unit)}</dd>
    </div>
  );
}

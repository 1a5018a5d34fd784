import type { ReactNode } from 'react';
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
        <Figure label="Requests" value={hour ? sumOfPoints(requestCount) : null} unit="count">
          <Sparkline points={requestCount} hasCount={false} />
        </Figure>
        <Figure
          label="Latency in the latest minute with requests, 95th percentile"
          value={latestOf(latency)}
          unit="ms"
        />
        <Figure label="Sent" value={hour ? sumOfPoints(bandwidthOut) : null} unit="bytes" />
      </dl>
      <div className="actions">
        <Link href={`/environments/${environmentId}/metrics`}>All metrics</Link>
      </div>
    </Section>
  );
}

interface FigureProps {
  label: string;
  value: number | null;
  unit: Unit;
  children?: ReactNode;
}

function Figure({ label, value, unit, children }: FigureProps) {
  return (
    <div>
      <dt className="meta">{label}</dt>
      <dd className="env-figure">
        {value === null ? '–' : formatQuantity(value, unit)}
        {children}
      </dd>
    </div>
  );
}

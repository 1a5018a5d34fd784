import { latestOf } from '../../../lib/metric-series.ts';
import { Link } from '../../../lib/router.tsx';
import { useCall } from '../../../lib/use-call.ts';
import { DeploymentList } from '../../../parts/deployment-list.tsx';
import { Section } from '../../../parts/section.tsx';
import { useMember } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';
import { describeStanding } from './describe-standing.ts';
import { EnvironmentFacts } from './environment-facts.tsx';
import { LastHour } from './last-hour.tsx';

const REFRESH_MS = 15_000;

export function OverviewTab({ environment, application }: TabProps) {
  const { data: hour } = useLastHour(environment.id);
  const isServer = application.deployment_type === 'container';
  const instances = isServer && hour ? latestOf(hour.metrics.instanceCount) : null;
  return (
    <>
      <Trouble environment={environment} />
      <Section title="Now" about={describeStanding(environment, instances)}>
        <EnvironmentFacts {...{ environment, application, instances }} />
      </Section>
      <LastHour hour={hour} environmentId={environment.id} />
      <Section title="Deployments">
        <DeploymentList environment={environment} limit={10} />
      </Section>
    </>
  );
}

function useLastHour(environmentId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const metrics = ['requestCount', 'latency', 'instanceCount', 'bandwidthOut'] as const;
  const body = { targetOrganisationId, environmentId, timeRange: '1h' as const, metrics: [...metrics] };
  return useCall('metrics.detailed', { body }, { refreshMs: REFRESH_MS });
}

function Trouble({ environment: { id, status, trouble } }: Pick<TabProps, 'environment'>) {
  if (!trouble) return null;
  return (
    <p className={`notice ${status === 'failed' ? 'notice-error' : 'notice-warning'}`}>
      {trouble} <Link href={`/environments/${id}/logs`}>Look at the log</Link>
    </p>
  );
}

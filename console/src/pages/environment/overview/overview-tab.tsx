import type { Deployment } from '../../../lib/describe-deployment.ts';
import { latestOf } from '../../../lib/metric-series.ts';
import { SELDOM_MS } from '../../../lib/news-pace.ts';
import { rollbackOf } from '../../../lib/rollback.ts';
import { Link } from '../../../lib/router.tsx';
import { useCall } from '../../../lib/use-call.ts';
import { useEnvironmentEntries } from '../../../lib/use-environment-entries.ts';
import { useLiveDeployment } from '../../../lib/use-live-deployment.ts';
import { DeploymentList } from '../../../parts/deployment-list.tsx';
import { RolledBackNotice } from '../../../parts/rolled-back-notice.tsx';
import { Section } from '../../../parts/section.tsx';
import { useMember } from '../../../shell/member-context.ts';
import { isTroubled } from '../../domains/domain-state.ts';
import type { TabProps } from '../environment-page.tsx';
import { describeStanding } from './describe-standing.ts';
import { describeTrouble } from './describe-trouble.ts';
import { EnvironmentFacts } from './environment-facts.tsx';
import { LastHour } from './last-hour.tsx';
import { useDomainState } from './use-domain-state.ts';

export function OverviewTab({ environment, application, deployments }: TabProps) {
  const { data: hour } = useLastHour(environment.id);
  const entries = useEnvironmentEntries(environment.id, deployments.data);
  const live = useLiveDeployment(deployments.data, environment.live_deployment_id);
  const domain = useDomainState(environment);
  const isServer = application.deployment_type === 'container';
  const instances = isServer && hour ? latestOf(hour.metrics.instanceCount) : null;
  const known = deployments.data ?? [];
  const isDomainTroubled = domain !== undefined && isTroubled(domain);
  return (
    <>
      <Trouble environment={environment} deployments={known} />
      <RolledBackNotice rollback={rollbackOf(known)} />
      <Section title="Now" about={describeStanding(environment, { instances, deployments: known, isDomainTroubled })}>
        <EnvironmentFacts {...{ environment, application, instances, live, domain }} />
      </Section>
      <LastHour hour={hour} environmentId={environment.id} />
      <Section title="Deployments">
        <DeploymentList environment={environment} list={deployments} live={live} entries={entries} />
      </Section>
    </>
  );
}

function useLastHour(environmentId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const metrics = ['requestCount', 'latency', 'instanceCount', 'bandwidthOut'] as const;
  const body = { targetOrganisationId, environmentId, timeRange: '1h' as const, metrics: [...metrics] };
  return useCall('metrics.detailed', { body }, { refreshMs: SELDOM_MS });
}

interface TroubleProps extends Pick<TabProps, 'environment'> {
  deployments: readonly Deployment[];
}

function Trouble({ environment, deployments }: TroubleProps) {
  const told = describeTrouble(environment, deployments);
  if (!told) return null;
  return (
    <p className={`notice ${environment.status === 'failed' ? 'notice-error' : 'notice-warning'}`}>
      {told.text} <Link href={told.href}>{told.way}</Link>
    </p>
  );
}

import { useEffect } from 'react';
import type { Deployment } from '../../../lib/describe-deployment.ts';
import { latestOf } from '../../../lib/metric-series.ts';
import { paceOfDeployments, SELDOM_MS } from '../../../lib/news-pace.ts';
import { ALL_DEPLOYMENTS, rollbackOf } from '../../../lib/rollback.ts';
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

export function OverviewTab({ environment, application, reload }: TabProps) {
  const { data: hour } = useLastHour(environment.id);
  const deployments = useDeployments(environment.id, reload);
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

/** Where they have news, the environment has too: the page must not say one thing above and another below. */
function useDeployments(environmentId: string, onNews: () => void) {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId, limit: ALL_DEPLOYMENTS };
  const list = useCall('deployments.list', { body }, { refreshMs: paceOfDeployments });
  const standing = list.data?.map(({ id, status, is_live }) => [id, status, is_live].join(' ')).join('\n');
  useEffect(() => {
    if (standing !== undefined) onNews();
  }, [standing, onNews]);
  return list;
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

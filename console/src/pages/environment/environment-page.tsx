import './environment.css';
import { type ComponentType, useEffect } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { type EnvironmentTabPath, environmentTabs } from '../../lib/environment-tabs.ts';
import type { Deployment } from '../../lib/describe-deployment.ts';
import { hasCode } from '../../lib/has-code.ts';
import { paceOf, paceOfDeployments } from '../../lib/news-pace.ts';
import { ALL_DEPLOYMENTS } from '../../lib/rollback.ts';
import { lazyPage } from '../../parts/lazy-page.tsx';
import { useParam, usePath } from '../../lib/router.tsx';
import { type Loaded, useCall } from '../../lib/use-call.ts';
import { Badge } from '../../parts/badge.tsx';
import { GonePage } from '../../parts/gone-page.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NewsError } from '../../parts/news-error.tsx';
import { Page } from '../../parts/page.tsx';
import { StandingBadge } from '../../parts/standing-badge.tsx';
import { useMember } from '../../shell/member-context.ts';
import { ActivityTab } from './activity-tab.tsx';
import { DomainTab } from './domain-tab.tsx';
import { EnvironmentActions } from './environment-actions.tsx';
import { LogsTab } from './logs/logs-tab.tsx';
import { OverviewTab } from './overview/overview-tab.tsx';
import { standingNow } from './standing-now.ts';
import { SettingsTab } from './settings/settings-tab.tsx';
import { VariablesTab } from './variables-tab.tsx';

export type Environment = OutputOf<'environments.get'>;
type Application = OutputOf<'applications.get'>;

export interface TabProps {
  environment: Environment;
  application: Application;
  /** Newest first; asked for by the overview only. */
  deployments: Loaded<Deployment[]>;
  /** After a change. */
  reload: () => void;
}

/** What draws is fetched only for who looks at it. */
const MetricsTab = lazyPage(async () => (await import('./metrics/metrics-tab.tsx')).MetricsTab);

const contents: Record<EnvironmentTabPath, ComponentType<TabProps>> = {
  '': OverviewTab,
  '/logs': LogsTab,
  '/metrics': MetricsTab,
  '/variables': VariablesTab,
  '/domain': DomainTab,
  '/activity': ActivityTab,
  '/settings': SettingsTab,
};

export function EnvironmentPage() {
  const environmentId = useParam('environmentId');
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId };
  const loaded = useCall('environments.get', { body }, { refreshMs: paceOf });
  const applicationId = loaded.data?.application_id;
  const application = useCall(
    'applications.get',
    applicationId ? { body: { targetOrganisationId, applicationId } } : null,
  );
  if (loaded.data && application.data) {
    const { data: environment, error, reload } = loaded;
    return <LoadedEnvironment {...{ environment, application: application.data, error, reload }} />;
  }
  if (hasCode(loaded.error, 'NF001')) return <GonePage kind="environment" list={home} />;
  return (
    <Page title="Environment" crumbs={[home]}>
      <Loading of={loaded}>{() => <Loading of={application}>{() => null}</Loading>}</Loading>
    </Page>
  );
}

const home = { href: '/', label: 'Applications' };

type LoadedEnvironmentProps = Omit<TabProps, 'deployments'> & { error: unknown };

function LoadedEnvironment({ environment: read, application, error, reload }: LoadedEnvironmentProps) {
  const base = `/environments/${read.id}`;
  const path = usePath();
  const tab = environmentTabs.find((each) => base + each.path === path)?.path ?? '';
  const Content = contents[tab];
  const deployments = useDeployments(read.id, { isWanted: tab === '', onNews: reload });
  const environment = { ...read, status: standingNow(read, deployments.data) };
  return (
    <Page
      title={environment.name}
      subject={environment.id}
      badge={<Badges environment={environment} />}
      crumbs={[home, { href: `/apps/${application.id}`, label: application.name }]}
      actions={<EnvironmentActions environment={environment} application={application} />}
      tabs={environmentTabs.map((each) => ({ href: base + each.path, label: each.label }))}
    >
      <NewsError error={error} />
      <Content {...{ environment, application, deployments, reload }} />
    </Page>
  );
}

interface Wanted {
  isWanted: boolean;
  onNews: () => void;
}

/** Where they have news, the environment has too. Those that were shown before somebody looked elsewhere are old. */
function useDeployments(environmentId: string, { isWanted, onNews }: Wanted): Loaded<Deployment[]> {
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, environmentId, limit: ALL_DEPLOYMENTS };
  const list = useCall('deployments.list', isWanted ? { body } : null, { refreshMs: paceOfDeployments });
  const standing = list.data?.map(({ id, status, is_live }) => [id, status, is_live].join(' ')).join('\n');
  useEffect(() => {
    if (standing !== undefined) onNews();
  }, [standing, onNews]);
  return list;
}

function Badges({ environment: { status, is_production, name } }: Pick<TabProps, 'environment'>) {
  return (
    <>
      <StandingBadge status={status} />
      {is_production && name !== 'production' && <Badge>production</Badge>}
    </>
  );
}

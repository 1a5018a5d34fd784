import './environment.css';
import type { ComponentType } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { hasCode } from '../../lib/has-code.ts';
import { lazyPage } from '../../parts/lazy-page.tsx';
import { useParam, usePath } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
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
import { SettingsTab } from './settings/settings-tab.tsx';
import { VariablesTab } from './variables-tab.tsx';

export type Environment = OutputOf<'environments.get'>;
type Application = OutputOf<'applications.get'>;

export interface TabProps {
  environment: Environment;
  application: Application;
  /** After a change. */
  reload: () => void;
}

const REFRESH_MS = 5000;

/** What draws is fetched only for who looks at it. */
const MetricsTab = lazyPage(async () => (await import('./metrics/metrics-tab.tsx')).MetricsTab);

const tabs: readonly { path: string; label: string; Content: ComponentType<TabProps> }[] = [
  { path: '', label: 'Overview', Content: OverviewTab },
  { path: '/logs', label: 'Logs', Content: LogsTab },
  { path: '/metrics', label: 'Metrics', Content: MetricsTab },
  { path: '/variables', label: 'Variables', Content: VariablesTab },
  { path: '/domain', label: 'Domain', Content: DomainTab },
  { path: '/activity', label: 'Activity', Content: ActivityTab },
  { path: '/settings', label: 'Settings', Content: SettingsTab },
];

export function EnvironmentPage() {
  const environmentId = useParam('environmentId');
  const targetOrganisationId = useMember().organisation.id;
  const loaded = useCall(
    'environments.get',
    { body: { targetOrganisationId, environmentId } },
    { refreshMs: REFRESH_MS },
  );
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

function LoadedEnvironment({ environment, application, error, reload }: TabProps & { error: unknown }) {
  const base = `/environments/${environment.id}`;
  const path = usePath();
  const { Content } = tabs.find((tab) => base + tab.path === path) ?? tabs[0]!;
  return (
    <Page
      title={environment.name}
      subject={environment.id}
      badge={<Badges environment={environment} />}
      crumbs={[home, { href: `/apps/${application.id}`, label: application.name }]}
      actions={<EnvironmentActions environment={environment} application={application} />}
      tabs={tabs.map((tab) => ({ href: base + tab.path, label: tab.label }))}
    >
      <NewsError error={error} />
      <Content {...{ environment, application, reload }} />
    </Page>
  );
}

function Badges({ environment: { status, is_production, name } }: Pick<TabProps, 'environment'>) {
  return (
    <>
      <StandingBadge status={status} />
      {is_production && name !== 'production' && <Badge>production</Badge>}
    </>
  );
}

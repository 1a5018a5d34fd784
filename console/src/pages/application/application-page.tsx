import './application.css';
import type { OutputOf } from '../../lib/api-types.ts';
import { hasCode } from '../../lib/has-code.ts';
import { inConsoleWords } from '../../lib/in-console-words.ts';
import { paceOf, paceOfAll } from '../../lib/news-pace.ts';
import { useParam, usePath } from '../../lib/router.tsx';
import { type Loaded, useCall } from '../../lib/use-call.ts';
import { GonePage } from '../../parts/gone-page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { StandingBadge } from '../../parts/standing-badge.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { NewVersion } from '../environment/new-version.tsx';
import { ApplicationOverview } from './application-overview.tsx';
import { DeployButton } from './deploy-button.tsx';
import { ApplicationSettings } from './settings/application-settings.tsx';

export type Application = OutputOf<'applications.get'>;
export type Environments = OutputOf<'environments.list'>;

export function ApplicationPage() {
  const applicationId = useParam('applicationId');
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, applicationId };
  const loaded = useCall('applications.get', { body }, { refreshMs: paceOf });
  if (hasCode(loaded.error, 'NF001')) return <GonePage kind="application" list={list} />;
  if (loaded.data) return <LoadedApplication application={loaded.data} reload={loaded.reload} />;
  return (
    <Page title="Application" crumbs={[list]}>
      <Loading of={loaded}>{() => null}</Loading>
    </Page>
  );
}

const list = { href: '/', label: 'Applications' };

interface LoadedApplicationProps {
  application: Application;
  reload: Loaded<Application>['reload'];
}

function LoadedApplication({ application, reload }: LoadedApplicationProps) {
  const { id, name, status } = application;
  const targetOrganisationId = useMember().organisation.id;
  const body = { targetOrganisationId, applicationId: id };
  const environments = useCall(
    'environments.list',
    { body },
    { refreshMs: (all) => paceOfAll(all && [...all, application]) },
  );
  const isSettings = usePath().endsWith('/settings');
  const tabs = [
    { href: `/apps/${id}`, label: 'Overview' },
    { href: `/apps/${id}/settings`, label: 'Settings' },
  ];
  return (
    <Page
      title={name}
      subject={id}
      badge={<StandingBadge status={status} />}
      crumbs={[list]}
      actions={<ApplicationActions application={application} environments={environments.data} />}
      tabs={tabs}
    >
      {application.push_trouble && (
        <p className="notice notice-warning">
          <strong>Pushes are not deployed.</strong> {sayWhy(application.push_trouble)}
        </p>
      )}
      {isSettings ? (
        <ApplicationSettings application={application} onChanged={reload} />
      ) : (
        <ApplicationOverview application={application} environments={environments} />
      )}
    </Page>
  );
}

interface ApplicationActionsProps {
  application: Application;
  environments: Environments | undefined;
}

function ApplicationActions({ application, environments }: ApplicationActionsProps) {
  const { url, status, source_type } = application;
  const mayUpload = usePermission('create:projects') && status !== 'deleting' && source_type === 'upload';
  const mayDeploy = usePermission('update:projects') && status !== 'deleting';
  const production = environments?.find(({ is_production }) => is_production);
  return (
    <>
      {production?.live_deployment_id && status !== 'deleting' && (
        <a className="button with-icon" href={url} target="_blank" rel="noreferrer">
          Open <Icon name="out" />
          <span className="visually-hidden"> (opens a new tab)</span>
        </a>
      )}
      {mayDeploy && production && (
        <DeployButton
          environment={production}
          isUpload={source_type === 'upload'}
          look={mayUpload ? 'plain' : 'primary'}
        />
      )}
      {mayUpload && production && <NewVersion environment={production} />}
    </>
  );
}

/** What the page has said already is not said again. */
const sayWhy = (trouble: string) => inConsoleWords(trouble.replace(/^Pushes are not deployed by themselves\. /, ''));

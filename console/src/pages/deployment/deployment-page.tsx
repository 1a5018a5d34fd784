import './deployment.css';
import { isMoving, nameDeployment } from '../../lib/describe-deployment.ts';
import { hasCode } from '../../lib/has-code.ts';
import { useParam } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { useEnvironmentEntries } from '../../lib/use-environment-entries.ts';
import { useLiveDeployment } from '../../lib/use-live-deployment.ts';
import { whyDeployed } from '../../lib/why-deployed.ts';
import { DeploymentBadge } from '../../parts/deployment-badge.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { GonePage } from '../../parts/gone-page.tsx';
import { Loading } from '../../parts/loading.tsx';
import { LogView } from '../../parts/log-view/log-view.tsx';
import { Page } from '../../parts/page.tsx';
import { useMember } from '../../shell/member-context.ts';
import { DeploymentActions } from './deployment-actions.tsx';
import { DeploymentAbout } from './deployment-about.tsx';
import { DeploymentWayOn } from './deployment-way-on.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { StageLine } from './stage-line.tsx';
import { useDeployment } from './use-deployment.ts';

export function DeploymentPage() {
  const followed = useDeployment(useParam('deploymentId'));
  const { loaded, deployment } = followed;
  if (deployment) return <LoadedDeployment {...{ ...followed, deployment }} />;
  if (hasCode(loaded.error, 'NF001')) return <GonePage kind="deployment" list={home} />;
  return (
    <Page title="Deployment" crumbs={[home]}>
      <Loading of={loaded}>{() => null}</Loading>
    </Page>
  );
}

const home = { href: '/', label: 'Applications' };

type Followed = ReturnType<typeof useDeployment>;
type ShownDeployment = NonNullable<Followed['deployment']>;

function LoadedDeployment({ deployment, neighbours, reload, ...rest }: Followed & { deployment: ShownDeployment }) {
  const { log, lineCount, stream } = rest;
  const { environment, application } = usePlace(deployment.environment_id);
  const live = useLiveDeployment(neighbours, environment?.live_deployment_id ?? null);
  const entries = useEnvironmentEntries(deployment.environment_id, neighbours);
  const why = whyDeployed(deployment, { deployments: neighbours ?? [], entries });
  const newestId = neighbours?.[0]?.id;
  return (
    <Page
      title={nameDeployment(deployment)}
      subject={deployment.id}
      badge={<DeploymentBadge deployment={deployment} />}
      crumbs={[
        home,
        ...(application ? [{ href: `/apps/${application.id}`, label: application.name }] : []),
        ...(environment ? [{ href: `/environments/${environment.id}`, label: environment.name }] : []),
      ]}
      about={<DeploymentAbout {...{ deployment, live, application, environment, why }} others={neighbours ?? []} />}
      actions={
        environment && <DeploymentActions {...{ deployment, live, environment, application, newestId, reload }} />
      }
    >
      <FailureNotice deployment={deployment} log={log}>
        {environment && application && <DeploymentWayOn {...{ deployment, environment, application, newestId }} />}
      </FailureNotice>
      <ErrorNotice error={stream.error} />
      <StageLine deployment={deployment} type={application?.deployment_type ?? null} />
      <LogView
        label="Build log"
        log={log}
        lineCount={lineCount}
        trouble={deployment.error && `==> ${deployment.error}`}
        isWrappedAtFirst={deployment.status === 'failed'}
        empty={isMoving(deployment) ? 'Nothing yet.' : 'The log is empty.'}
      />
    </Page>
  );
}

function usePlace(environmentId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const { data: environment } = useCall('environments.get', { body: { targetOrganisationId, environmentId } });
  const applicationId = environment?.application_id;
  const { data: application } = useCall(
    'applications.get',
    applicationId ? { body: { targetOrganisationId, applicationId } } : null,
  );
  return { environment, application };
}

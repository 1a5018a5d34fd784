import type { OutputOf } from '../../lib/api-types.ts';
import { type Deployment, isMoving, nameDeployment } from '../../lib/describe-deployment.ts';
import { navigate } from '../../lib/router.tsx';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Icon } from '../../parts/icon.tsx';
import { RollbackButton } from '../../parts/rollback-button.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';

interface DeploymentActionsProps {
  deployment: Deployment;
  live: Deployment | null;
  environment: OutputOf<'environments.get'>;
  application: OutputOf<'applications.get'> | undefined;
  reload: () => void;
}

/** What one can do with it as it is now. */
export function DeploymentActions({ deployment, live, environment, application, reload }: DeploymentActionsProps) {
  const mayChange = usePermission('update:projects');
  const isEnded = !isMoving(deployment);
  return (
    <>
      {mayChange && !isEnded && <CancelButton deployment={deployment} live={live} onCancelled={reload} />}
      {mayChange && isEnded && application && (
        <DeployButton environment={environment} isUpload={application.source_type === 'upload'} />
      )}
      {mayChange && isEnded && deployment.can_rollback && !deployment.is_live && (
        <RollbackButton environment={environment} target={deployment} live={live} onAsked={reload} />
      )}
      {deployment.is_live && (
        <a className="button button-primary deployment-open" href={environment.url} target="_blank" rel="noreferrer">
          Open <Icon name="out" />
        </a>
      )}
    </>
  );
}

interface CancelButtonProps {
  deployment: Deployment;
  live: Deployment | null;
  onCancelled: () => void;
}

function CancelButton({ deployment, live, onCancelled }: CancelButtonProps) {
  const targetOrganisationId = useMember().organisation.id;
  const cancel = async () => {
    await browserSession.call('deployments.cancel', { body: { targetOrganisationId, deploymentId: deployment.id } });
    onCancelled();
  };
  const kept = live ? `“${nameDeployment(live)}” stays as it is for visitors.` : 'Nothing is served so far.';
  return (
    <ConfirmButton
      action="Stop"
      subject="this deployment"
      question="Stop this deployment?"
      consequence={`It is not released. ${kept}`}
      look="danger"
      onConfirm={cancel}
    />
  );
}

/** A new deployment: of the branch as it is now, or of the same archive. */
function DeployButton({ environment, isUpload }: Pick<DeploymentActionsProps, 'environment'> & { isUpload: boolean }) {
  const targetOrganisationId = useMember().organisation.id;
  const { run, isBusy, error } = useAction(async () => {
    const body = { targetOrganisationId, environmentId: environment.id };
    const { id } = await browserSession.call('environments.deploy', { body });
    navigate(`/deployments/${id}`);
  });
  return (
    <>
      <ErrorNotice error={error} />
      <Button isBusy={isBusy} onClick={() => void run()}>
        {isUpload ? 'Deploy again' : 'Deploy the newest commit'}
      </Button>
    </>
  );
}

import type { DeploymentStatus } from '@lilac/contract/states';
import type { OutputOf } from '../../lib/api-types.ts';
import { type Deployment, isMoving, nameDeployment } from '../../lib/describe-deployment.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { RollbackButton } from '../../parts/rollback-button.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { DeployNow } from '../application/deploy-now.tsx';
import { NewVersion } from '../environment/new-version.tsx';

interface DeploymentActionsProps {
  deployment: Deployment;
  live: Deployment | null;
  /** Of its environment. */
  newestId: string | undefined;
  environment: OutputOf<'environments.get'>;
  application: OutputOf<'applications.get'> | undefined;
  reload: () => void;
}

/** What one can do with it as it is now. */
export function DeploymentActions({ deployment, live, newestId, environment, ...rest }: DeploymentActionsProps) {
  const { application, reload } = rest;
  const mayChange = usePermission('update:projects');
  const isEnded = !isMoving(deployment);
  const isNewest = newestId === deployment.id;
  const mayUpload = usePermission('create:projects') && application?.source_type === 'upload';
  return (
    <>
      {mayChange && !isEnded && <CancelButton deployment={deployment} live={live} onCancelled={reload} />}
      {mayChange && isEnded && application && (
        <DeployNow environment={environment} label={sayDeploy(application, isNewest)} />
      )}
      {mayChange && mayUpload && isNewest && cameToNothing.includes(deployment.status) && (
        <NewVersion environment={environment} />
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

/** The same archive once more would most likely come to the same. */
const cameToNothing: readonly DeploymentStatus[] = ['failed', 'cancelled'];

/** What is built is the newest source, whichever deployment one looks at. */
function sayDeploy({ source_type }: OutputOf<'applications.get'>, isNewest: boolean): string {
  if (source_type !== 'upload') return 'Deploy the newest commit';
  return isNewest ? 'Deploy again' : 'Deploy the newest archive';
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
      action="Cancel deployment"
      subject=""
      question="Cancel this deployment?"
      consequence={`It will not be released. ${kept}`}
      dismiss="Keep it"
      look="danger"
      onConfirm={cancel}
    />
  );
}

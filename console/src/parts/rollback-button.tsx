import { type Deployment, isNewer, nameAmong } from '../lib/describe-deployment.ts';
import { browserSession } from '../session/browser-session.ts';
import { useMember } from '../shell/member-context.ts';
import type { ButtonLook } from './button.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { ServedDeployment } from './served-deployment.tsx';

interface RollbackButtonProps {
  environment: { id: string; name: string; auto_deploy: boolean };
  target: Deployment;
  /** What is served now. */
  live: Deployment | null;
  look?: ButtonLook;
  onAsked: () => void;
}

const VARIABLES = 'It has the variables it was built with, not those that were saved since.';

/** Says before what visitors get now, and what they get then. Back to an earlier one, or forward again. */
export function RollbackButton({ environment, target, live, look = 'plain', onAsked }: RollbackButtonProps) {
  const targetOrganisationId = useMember().organisation.id;
  const rollBack = async () => {
    const body = { targetOrganisationId, environmentId: environment.id, deploymentId: target.id };
    await browserSession.call('deployments.rollback', { body });
    onAsked();
  };
  const both = live ? [live, target] : [target];
  const name = nameAmong(target, both);
  const isForward = live !== null && isNewer(target, live);
  return (
    <ConfirmButton
      action={isForward ? 'Serve this one' : 'Roll back'}
      subject={isForward ? name : `to ${name}`}
      question={isForward ? `Serve a newer deployment at ${environment.name}?` : `Roll ${environment.name} back?`}
      consequence={`Nothing is built, and no request is lost. ${VARIABLES} ${sayWhatFollows(environment, target)}`}
      look={look}
      confirmLook="primary"
      onConfirm={rollBack}
    >
      <dl className="facts">
        <dt>Now</dt>
        <dd>{live ? <ServedDeployment deployment={live} besides={both} /> : 'nothing'}</dd>
        <dt>Then</dt>
        <dd>
          <ServedDeployment deployment={target} besides={both} />
        </dd>
      </dl>
    </ConfirmButton>
  );
}

function sayWhatFollows({ auto_deploy }: RollbackButtonProps['environment'], { commit_sha }: Deployment): string {
  if (commit_sha === null) return 'It stays so until something else is deployed.';
  return auto_deploy
    ? 'The branch is still followed: the next push goes forward again.'
    : 'The next deployment goes forward again.';
}

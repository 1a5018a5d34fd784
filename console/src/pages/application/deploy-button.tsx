import type { OutputOf } from '../../lib/api-types.ts';
import { navigate } from '../../lib/router.tsx';
import { useAction } from '../../lib/use-action.ts';
import { Button, type ButtonLook } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';

interface DeployButtonProps {
  environment: Pick<OutputOf<'environments.list'>[number], 'id' | 'name' | 'status' | 'live_deployment_id'>;
  look?: ButtonLook;
}

/** Builds what the source has now, and leads to where one can watch. */
export function DeployButton({ environment, look = 'plain' }: DeployButtonProps) {
  const targetOrganisationId = useMember().organisation.id;
  const deploy = useAction(async () => {
    const body = { targetOrganisationId, environmentId: environment.id };
    const { id } = await browserSession.call('environments.deploy', { body });
    navigate(`/deployments/${id}`);
  });
  const isFirstUnderWay = environment.status === 'deploying' && environment.live_deployment_id === null;
  // The same once more would only wait behind it.
  if (isFirstUnderWay) return null;
  return (
    <>
      <Button
        look={look}
        isBusy={deploy.isBusy}
        onClick={() => void deploy.run()}
        aria-label={`Deploy ${environment.name}`}
      >
        Deploy
      </Button>
      <ErrorNotice error={deploy.error} />
    </>
  );
}

import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import type { Environment } from './domain-state.ts';

/** After its domain went together with its generated address: the way back. */
export function SwitchedOff({ environment, onBack }: { environment: Environment; onBack: () => void }) {
  const { organisation } = useMember();
  const switchOn = useAction(async () => {
    const body = { targetOrganisationId: organisation.id, environmentId: environment.id };
    await browserSession.call('applications.remove-domain', { body });
    onBack();
  });
  return (
    <div className="stack">
      <p className="notice notice-warning" role="status">
        {environment.name} is reached at no address until it has a domain again.
      </p>
      <ErrorNotice error={switchOn.error} />
      <div className="actions">
        <Button isBusy={switchOn.isBusy} onClick={() => void switchOn.run()}>
          Switch the generated address on again
        </Button>
      </div>
    </div>
  );
}

import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import type { DomainState, Environment } from './domain-state.ts';
import { Name } from '../../parts/name.tsx';

interface SwitchedOffProps {
  environment: Environment;
  canChange: boolean;
  onBack: (state: DomainState) => void;
}

/** Its domain went together with its generated address: the way back. */
export function SwitchedOff({ environment, canChange, onBack }: SwitchedOffProps) {
  const { organisation } = useMember();
  const switchOn = useAction(async () => {
    const body = { targetOrganisationId: organisation.id, environmentId: environment.id };
    onBack(await browserSession.call('applications.remove-domain', { body }));
  });
  return (
    <div className="stack">
      <p className="notice notice-warning" role="status">
        <Name of={environment.name} /> is reached at no address until it has a domain again.
      </p>
      <ErrorNotice error={switchOn.error} />
      {canChange && (
        <div className="actions">
          <Button isBusy={switchOn.isBusy} onClick={() => void switchOn.run()}>
            Switch the generated address on again
          </Button>
        </div>
      )}
    </div>
  );
}

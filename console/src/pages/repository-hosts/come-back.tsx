import { hasCode } from '../../lib/has-code.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Waiting } from '../../parts/loading.tsx';
import { NarrowPage } from '../../parts/narrow-page.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useRunOnArrival } from './use-run-on-arrival.ts';

interface ComeBackProps {
  state: string;
  onResumed: (setupToken: string) => void;
  /** This browser did not begin what it comes back from, or too long ago. */
  onForeign: () => void;
}

/** Back from the host: the platform gives what the cookie kept of the link, once. */
export function ComeBack({ state, onResumed, onForeign }: ComeBackProps) {
  const { run, isBusy, error } = useAction(async () => {
    try {
      const { setupToken } = await browserSession.call('vcs-setup.resume', { body: { state } });
      onResumed(setupToken);
    } catch (failure) {
      if (!hasCode(failure, 'CA002')) throw failure;
      onForeign();
    }
  });
  useRunOnArrival(run);
  if (error === null) return <Waiting />;
  return (
    <NarrowPage title="The app is not set up yet" about="The repository host has made it and sent you back with it.">
      <ErrorNotice error={error} />
      <div className="actions">
        <Button look="primary" isBusy={isBusy} onClick={() => void run()}>
          Try again
        </Button>
      </div>
    </NarrowPage>
  );
}

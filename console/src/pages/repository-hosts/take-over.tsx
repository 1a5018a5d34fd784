import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Waiting } from '../../parts/loading.tsx';
import { NarrowPage } from '../../parts/narrow-page.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useRunOnArrival } from './use-run-on-arrival.ts';

interface TakeOverProps {
  setupToken: string;
  code: string;
  /** With what the platform said; null when the person gave up. */
  onDone: (message: string | null) => void;
}

/** Back from the host: what it made is fetched by the code it gave, which is good once. */
export function TakeOver({ setupToken, code, onDone }: TakeOverProps) {
  const { run, isBusy, error } = useAction(async () => {
    const { message } = await browserSession.call('vcs-setup.convert', { body: { setupToken, code } });
    onDone(message);
  });
  useRunOnArrival(run);
  if (error === null) return <Waiting />;
  return (
    <NarrowPage title="The app was not set up" about="It may be there at the host, but this platform does not have it.">
      <ErrorNotice error={error} />
      <div className="actions">
        <Button look="primary" isBusy={isBusy} onClick={() => void run()}>
          Try again
        </Button>
        <Button onClick={() => onDone(null)}>Back to the hosts</Button>
      </div>
    </NarrowPage>
  );
}

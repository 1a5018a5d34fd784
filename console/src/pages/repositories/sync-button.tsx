import { useState } from 'react';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';

/** For what was changed at the host while nobody told the platform. */
export function SyncButton({ orgId, onSynced }: { orgId: string; onSynced: () => void }) {
  const [removed, setRemoved] = useState(0);
  const { run, isBusy, isDone, error } = useAction(async () => {
    const synced = await browserSession.call('vcs-app.sync-installations', { params: { orgId }, body: {} });
    setRemoved(synced.removed);
    onSynced();
  });
  return (
    <>
      <Button isBusy={isBusy} onClick={() => void run()}>
        Read again from the host
      </Button>
      <span className="done" role="status">
        {isDone && (removed === 0 ? 'Everything is as it was there.' : `${removed} gone at the host: forgotten.`)}
      </span>
      <ErrorNotice error={error} />
    </>
  );
}

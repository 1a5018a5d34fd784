import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Dropped } from '../../lib/dropped-file.ts';
import { formatSize } from '@lilac/contract/format-size';
import { askOfLatest } from '../../lib/leaving.ts';
import { lookForRollback } from '../../lib/look-for-rollback.ts';
import { packDropped } from '../../lib/pack-dropped.ts';
import { deploymentsOf, type Rollback } from '../../lib/rollback.ts';
import { navigate } from '../../lib/router.tsx';
import { uploadArchive } from '../../lib/upload-archive.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { LeaveDialog } from '../../parts/leave-dialog.tsx';
import { LeftOutNotice } from '../../parts/left-out-notice.tsx';
import { ServedDeployment } from '../../parts/served-deployment.tsx';
import { UnwrappedNotice } from '../../parts/unwrapped-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';

interface Progress {
  sentBytes: number;
  totalBytes: number;
}

interface NewVersionDialogProps {
  environment: { id: string; name: string };
  onClose: () => void;
}

/** What is chosen is sent and deployed. While it is on its way, it is asked before that is stopped. */
export function NewVersionDialog({ environment, onClose }: NewVersionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const [chosen, setChosen] = useState<Dropped | null>(null);
  const [isAsking, setAsking] = useState(false);
  const close = () => dialog.current?.close();
  const { send, progress, isBusy, isLost, error } = useSending(environment.id, close);
  const askAndClose = () => (isLost ? askOfLatest(close) : close());
  const rollback = useRollback(environment.id);
  const take = (dropped: Dropped) => {
    // Closed while it was still being read: then it is not meant any more.
    if (!dialog.current?.open) return;
    setChosen(dropped);
    setAsking(hasSecrets(dropped));
    if (!hasSecrets(dropped)) void send(dropped);
  };
  const goOn = () => {
    setAsking(false);
    if (chosen) void send(chosen);
  };
  return (
    <Dialog
      dialog={dialog}
      title={`Upload a new version of ${environment.name}`}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault();
        askAndClose();
      }}
    >
      <p className="about">
        What you choose is sent, built and served, without a further question unless files with secrets are among it.
      </p>
      {rollback && <Undone rollback={rollback} />}
      {isBusy && <Sending progress={progress} chosen={chosen} />}
      {isAsking && <LeftOutNotice dropped={chosen} />}
      {!isBusy && !isAsking && <DropZone onDropped={take} />}
      <ErrorNotice error={error} />
      <div className="actions">
        {isAsking && (
          <Button look="primary" onClick={goOn}>
            Upload the rest
          </Button>
        )}
        <Button onClick={askAndClose}>Cancel</Button>
      </div>
      {isLost && (
        <LeaveDialog
          title="Stop the upload?"
          what="Nothing of what was sent is kept, and nothing is deployed."
          leaving="Stop it"
        />
      )}
    </Dialog>
  );
}

/** The page that follows tells of the deployment alone: whoever misses them there would not know why. */
function hasSecrets(dropped: Dropped): boolean {
  return 'files' in dropped && dropped.leftOut.secrets.length > 0;
}

/** Whether somebody rolled back. One who cannot be told uploads all the same. */
function useRollback(environmentId: string): Rollback | null {
  const targetOrganisationId = useMember().organisation.id;
  const [rollback, setRollback] = useState<Rollback | null>(null);
  useEffect(() => {
    lookForRollback({ targetOrganisationId, environmentId }).then(setRollback, () => {});
  }, [targetOrganisationId, environmentId]);
  return rollback;
}

function Undone({ rollback }: { rollback: Rollback }) {
  const { wanted, until } = rollback;
  return (
    <div className="notice notice-warning">
      <p>It was rolled back. A new version is served instead of what is served now, and undoes that:</p>
      <p>
        <ServedDeployment deployment={until ?? wanted} besides={deploymentsOf(rollback)} />
      </p>
    </div>
  );
}

/** Packed where it has to be, sent, deployed; closing the dialog breaks it off. Then it leads to the deployment. */
function useSending(environmentId: string, close: () => void) {
  const targetOrganisationId = useMember().organisation.id;
  const [progress, setProgress] = useState<Progress | null>(null);
  const [startedId, setStartedId] = useState<string | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const { run, isBusy, error } = useAction(async (dropped: Dropped) => {
    const { signal } = (leaving.current = new AbortController());
    setProgress(null);
    try {
      const { limits } = await browserSession.call('config.platform', { signal });
      const archive = await packDropped(dropped, { maxBytes: limits.uploadMaxBytes, signal });
      const { uploadId } = await uploadArchive(archive, {
        targetOrganisationId,
        fileName: `${dropped.name}.zip`,
        signal,
        onProgress: (sentBytes, totalBytes) => setProgress({ sentBytes, totalBytes }),
      });
      const body = { targetOrganisationId, environmentId, uploadId };
      const { id } = await browserSession.call('environments.deploy', { body, signal });
      setStartedId(id);
    } catch (failure) {
      // Whoever broke it off knows why.
      if (!signal.aborted) throw failure;
    }
  });
  const goOn = useEffectEvent((id: string) => {
    close();
    navigate(`/deployments/${id}`);
  });
  // Not before nothing is lost by it any more.
  useEffect(() => {
    if (startedId !== null) goOn(startedId);
  }, [startedId]);
  return { send: run, progress, isBusy, isLost: isBusy && startedId === null, error };
}

function Sending({ progress, chosen }: { progress: Progress | null; chosen: Dropped | null }) {
  const percent = progress ? Math.round((100 * progress.sentBytes) / Math.max(1, progress.totalBytes)) : 0;
  return (
    <div className="stack">
      <div
        className="meter"
        role="progressbar"
        aria-label="Upload"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div style={{ width: `${percent}%` }} />
      </div>
      <p className="meta">
        {progress ? `${formatSize(progress.sentBytes)} of ${formatSize(progress.totalBytes)} sent` : 'Packing…'}
      </p>
      <UnwrappedNotice dropped={chosen} />
      <LeftOutNotice dropped={chosen} />
    </div>
  );
}

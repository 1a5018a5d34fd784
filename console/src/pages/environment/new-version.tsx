import { useEffect, useRef, useState } from 'react';
import type { Dropped } from '../../lib/dropped-file.ts';
import { formatSize } from '@lilac/contract/format-size';
import { guardClosing } from '../../lib/leaving.ts';
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
import { LeftOutNotice } from '../../parts/left-out-notice.tsx';
import { ServedDeployment } from '../../parts/served-deployment.tsx';
import { UnwrappedNotice } from '../../parts/unwrapped-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';

interface Progress {
  sentBytes: number;
  totalBytes: number;
}

/** A new archive for an environment that is deployed from one. */
export function NewVersion({ environment }: { environment: { id: string; name: string } }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, setChosen] = useState<Dropped | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { send, stop, forget, progress, isBusy, error } = useSending(environment.id);
  const { rollback, look } = useRollback(environment.id);
  const open = () => {
    dialog.current?.showModal();
    look();
  };
  const take = (dropped: Dropped) => {
    setChosen(dropped);
    setAsking(hasSecrets(dropped));
    if (!hasSecrets(dropped)) void send(dropped);
  };
  const goOn = () => {
    setAsking(false);
    if (chosen) void send(chosen);
  };
  const close = () => {
    setAsking(false);
    stop();
    forget();
  };
  return (
    <>
      <Button onClick={open}>Upload a new version</Button>
      <Dialog dialog={dialog} title={`Upload a new version of ${environment.name}`} onClose={close}>
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
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        </div>
      </Dialog>
    </>
  );
}

/** The page that follows tells of the deployment alone: whoever misses them there would not know why. */
function hasSecrets(dropped: Dropped): boolean {
  return 'files' in dropped && dropped.leftOut.secrets.length > 0;
}

/** Whether somebody rolled back. One who cannot be told uploads all the same. */
function useRollback(environmentId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const [rollback, setRollback] = useState<Rollback | null>(null);
  const look = () => void lookForRollback({ targetOrganisationId, environmentId }).then(setRollback, () => {});
  return { rollback, look };
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

/** Packed where it has to be, sent, deployed; closing the dialog breaks it off, and the browser asks whoever reloads the page. */
function useSending(environmentId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const [progress, setProgress] = useState<Progress | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const { run, isBusy, error, forget } = useAction(async (dropped: Dropped) => {
    const { signal } = (leaving.current = new AbortController());
    setProgress(null);
    const release = guardClosing('under way');
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
      navigate(`/deployments/${id}`);
    } catch (failure) {
      // Whoever broke it off knows why.
      if (!signal.aborted) throw failure;
    } finally {
      release();
    }
  });
  return { send: run, stop: () => leaving.current?.abort(), forget, progress, isBusy, error };
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

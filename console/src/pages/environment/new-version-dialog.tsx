import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Dropped } from '../../lib/dropped-file.ts';
import { formatSize } from '@lilac/contract/format-size';
import { lookForRollback } from '../../lib/look-for-rollback.ts';
import { packDropped } from '../../lib/pack-dropped.ts';
import { requestClose } from '../../lib/request-close.ts';
import { deploymentsOf, type Rollback } from '../../lib/rollback.ts';
import { uploadArchive } from '../../lib/upload-archive.ts';
import { useAction } from '../../lib/use-action.ts';
import { showMarks } from '../../lib/visible-name.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { LeaveDialog, type LeaveQuestion } from '../../parts/leave-dialog.tsx';
import { LeftOutNotice } from '../../parts/left-out-notice.tsx';
import { ServedDeployment } from '../../parts/served-deployment.tsx';
import { UnwrappedNotice } from '../../parts/unwrapped-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { whileHere } from '../../shell/lead-on.ts';
import { useMember } from '../../shell/member-context.ts';

interface Progress {
  sentBytes: number;
  totalBytes: number;
}

interface NewVersionDialogProps {
  environment: { id: string; name: string };
  onClose: () => void;
}

/** What is sent can be stopped; what is begun with it the platform does to its end. */
type Step = 'sending' | 'beginning';

const questions: Record<Step, LeaveQuestion> = {
  sending: {
    title: 'Stop the upload?',
    what: 'Nothing of what was sent is kept, and nothing is deployed.',
    leaving: 'Stop it',
  },
  beginning: {
    title: 'Close while it begins?',
    what: 'Everything is uploaded and the deployment is starting. It continues without you. If it fails, you will see a notice.',
    leaving: 'Close',
  },
};

/** What is chosen is sent and deployed. While it is on its way, it is asked before that is stopped. */
export function NewVersionDialog({ environment, onClose }: NewVersionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const [chosen, setChosen] = useState<Dropped | null>(null);
  const [isAsking, setAsking] = useState(false);
  const close = () => dialog.current?.close();
  const { send, progress, isBusy, step, error } = useSending(environment, close);
  const rollback = useRollback(environment.id);
  const take = (dropped: Dropped) => {
    setChosen(dropped);
    setAsking(hasSecrets(dropped));
    if (!hasSecrets(dropped)) void send(dropped);
  };
  const goOn = () => {
    setAsking(false);
    if (chosen) void send(chosen);
  };
  return (
    <Dialog dialog={dialog} title={`Upload a new version of ${environment.name}`} onClose={onClose}>
      <p className="about">
        What you choose is sent, built and served, without a further question unless files with secrets are among it.
      </p>
      {rollback && <Undone rollback={rollback} />}
      {isBusy && <Sending progress={progress} isSent={step === 'beginning'} chosen={chosen} />}
      {isAsking && <LeftOutNotice dropped={chosen} />}
      {!isBusy && !isAsking && <DropZone onDropped={take} />}
      <ErrorNotice error={error} />
      <div className="actions">
        {isAsking && (
          <Button look="primary" onClick={goOn}>
            Upload the rest
          </Button>
        )}
        <Button onClick={() => requestClose(dialog.current)}>{step === 'beginning' ? 'Close' : 'Cancel'}</Button>
      </div>
      {step && <LeaveDialog {...questions[step]} />}
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

/** Packed where it has to be, sent, deployed; closing the dialog stops the sending. Then it leads to the deployment. */
function useSending({ id: environmentId, name }: NewVersionDialogProps['environment'], close: () => void) {
  const targetOrganisationId = useMember().organisation.id;
  const [progress, setProgress] = useState<Progress | null>(null);
  const [step, setStep] = useState<Step | null>(null);
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const upload = async (dropped: Dropped, signal: AbortSignal) => {
    const { limits } = await browserSession.call('config.platform', { signal });
    const archive = await packDropped(dropped, { maxBytes: limits.uploadMaxBytes, signal });
    const { uploadId } = await uploadArchive(archive, {
      targetOrganisationId,
      fileName: `${dropped.name}.zip`,
      signal,
      onProgress: (sentBytes, totalBytes) => setProgress({ sentBytes, totalBytes }),
    });
    signal.throwIfAborted();
    return uploadId;
  };
  const send = async (dropped: Dropped) => {
    const leadOn = whileHere();
    const { signal } = (leaving.current = new AbortController());
    setProgress(null);
    setStep('sending');
    try {
      const uploadId = await upload(dropped, signal).catch((failure: unknown) => {
        // Whoever stopped it knows why.
        if (signal.aborted) return null;
        throw failure;
      });
      if (uploadId === null) return;
      setStep('beginning');
      const body = { targetOrganisationId, environmentId, uploadId };
      const { id } = await browserSession.call('environments.deploy', { body });
      // Not before nothing is lost by it any more.
      flushSync(() => setStep(null));
      close();
      leadOn(`/deployments/${id}`, { said: `The new version of ${showMarks(name)} is being deployed.`, shows: true });
    } finally {
      setStep(null);
    }
  };
  const { run, isBusy, error } = useAction(send);
  return { send: run, progress, isBusy, step, error };
}

interface SendingProps {
  progress: Progress | null;
  isSent: boolean;
  chosen: Dropped | null;
}

function Sending({ progress, isSent, chosen }: SendingProps) {
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
        {isSent
          ? 'Sent. Its deployment is being started…'
          : progress
            ? `${formatSize(progress.sentBytes)} of ${formatSize(progress.totalBytes)} sent`
            : 'Packing…'}
      </p>
      <UnwrappedNotice dropped={chosen} />
      <LeftOutNotice dropped={chosen} />
    </div>
  );
}

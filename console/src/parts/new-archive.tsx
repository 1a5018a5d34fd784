import { useEffect, useId, useRef, useState } from 'react';
import type { Dropped } from '../lib/dropped-file.ts';
import { navigate } from '../lib/router.tsx';
import { useAction } from '../lib/use-action.ts';
import { uploadArchive } from '../lib/upload-archive.ts';
import { zipFiles } from '../lib/zip-files.ts';
import { browserSession } from '../session/browser-session.ts';
import { useMember } from '../shell/member-context.ts';
import { Button } from './button.tsx';
import { DropZone } from './drop-zone.tsx';
import { ErrorNotice } from './error-notice.tsx';

/** For what was uploaded before: a newer archive is sent and deployed, and one can watch. */
export function NewArchive({ environmentId }: { environmentId: string }) {
  const { send, cancel, sentShare } = useArchiveDeployment(environmentId);
  return (
    <div className="stack">
      {send.isBusy ? (
        <Sending name={send.name} share={sentShare} onCancel={cancel} />
      ) : (
        <DropZone onDropped={(dropped) => void send.run(dropped)} hint="It is deployed as soon as it is here." />
      )}
      <ErrorNotice error={send.error} />
    </div>
  );
}

interface SendingProps {
  name: string;
  share: number;
  onCancel: () => void;
}

function Sending({ name, share, onCancel }: SendingProps) {
  const id = useId();
  const percent = Math.round(share * 100);
  return (
    <>
      <p id={id} className="break">
        Sending {name}: {percent} %
      </p>
      <div
        className="meter"
        role="progressbar"
        aria-labelledby={id}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ width: `${percent}%` }} />
      </div>
      <div className="actions">
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  );
}

function useArchiveDeployment(environmentId: string) {
  const targetOrganisationId = useMember().organisation.id;
  const [sentShare, setShare] = useState(0);
  const [name, setName] = useState('');
  const leaving = useRef(new AbortController());
  const action = useAction(async (dropped: Dropped) => {
    const { signal } = (leaving.current = new AbortController());
    setName(dropped.name);
    setShare(0);
    try {
      const archive = 'archive' in dropped ? dropped.archive : await zipFiles(dropped.files, { signal });
      const { uploadId } = await uploadArchive(archive, {
        targetOrganisationId,
        fileName: `${dropped.name}.zip`,
        signal,
        onProgress: (sent, total) => setShare(total === 0 ? 0 : sent / total),
      });
      signal.throwIfAborted();
      const body = { targetOrganisationId, environmentId, uploadId };
      const { id } = await browserSession.call('environments.deploy', { body });
      navigate(`/deployments/${id}`);
    } catch (error) {
      // Whoever breaks it off knows why it did not come.
      if (!signal.aborted) throw error;
    }
  });
  useEffect(() => () => leaving.current.abort(), []);
  return { send: { ...action, name }, cancel: () => leaving.current.abort(), sentShare };
}

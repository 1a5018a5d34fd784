import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../../lib/use-call.ts';
import { Button } from '../../../parts/button.tsx';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { showMarks } from '../../../lib/visible-name.ts';

const AWAITED_MS = 5000;
const dismissed = new Set<string>();
/** Who comes to the page again finds it where it stands. */
const broughtIntoView = new Set<string>();

interface LastImportProps {
  database: Database;
  /** Of the one that was begun here, so that somebody waits for how it ends; maybe they were elsewhere meanwhile. */
  awaitedUploadId: string | null;
}

/** How the last import ended, until that is read or the next one begins; a success only to whoever began it. */
export function LastImport({ database, awaitedUploadId }: LastImportProps) {
  const body = useAddressed(database);
  const refreshMs = awaitedUploadId === null ? null : AWAITED_MS;
  const told = useCall('databases.status', { body }, { refreshMs }).data?.last_import;
  const [, setDismissed] = useState<string | null>(null);
  if (!told || dismissed.has(told.upload_id)) return null;
  const isAwaited = told.upload_id === awaitedUploadId;
  if (told.error === null && !isAwaited) return null;
  const dismiss = () => {
    dismissed.add(told.upload_id);
    setDismissed(told.upload_id);
  };
  return (
    <Ended key={told.upload_id} uploadId={told.upload_id} isFailure={told.error !== null} isAwaited={isAwaited}>
      <span>{told.error === null ? 'The import is done: all of the file is in.' : showMarks(told.error)}</span>
      <span className="actions">
        <Button onClick={dismiss}>Dismiss</Button>
      </span>
    </Ended>
  );
}

interface EndedProps {
  uploadId: string;
  isFailure: boolean;
  isAwaited: boolean;
  children: React.ReactNode;
}

function Ended({ uploadId, isFailure, isAwaited, children }: EndedProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isAwaited || broughtIntoView.has(uploadId)) return;
    broughtIntoView.add(uploadId);
    notice.current?.scrollIntoView({ block: 'center' });
  }, [uploadId, isAwaited]);
  return (
    <div
      ref={notice}
      className={isFailure ? 'notice notice-error stack' : 'notice notice-good stack'}
      role={isFailure ? 'alert' : 'status'}
    >
      {children}
    </div>
  );
}

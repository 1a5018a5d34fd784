import { useEffect, useRef, useState } from 'react';
import { useCall } from '../../../lib/use-call.ts';
import { Button } from '../../../parts/button.tsx';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { showMarks } from '../../../lib/visible-name.ts';

const AWAITED_MS = 5000;
const dismissed = new Set<string>();

interface LastImportProps {
  database: Database;
  /** It was begun here, so that somebody waits for how it ends. */
  isAwaited: boolean;
}

/** How the last import ended: why it failed, until that is read or the next one begins. */
export function LastImport({ database, isAwaited }: LastImportProps) {
  const body = useAddressed(database);
  const refreshMs = isAwaited ? AWAITED_MS : null;
  const told = useCall('databases.status', { body }, { refreshMs }).data?.last_import;
  const [, setDismissed] = useState<string | null>(null);
  if (!told || dismissed.has(told.upload_id)) return null;
  if (told.error === null) return isAwaited && <Ended>The import is done: all of the file is in.</Ended>;
  const dismiss = () => {
    dismissed.add(told.upload_id);
    setDismissed(told.upload_id);
  };
  return (
    <Ended isFailure isAwaited={isAwaited}>
      <span>{showMarks(told.error)}</span>
      <span className="actions">
        <Button onClick={dismiss}>Dismiss</Button>
      </span>
    </Ended>
  );
}

interface EndedProps {
  isFailure?: boolean;
  isAwaited?: boolean;
  children: React.ReactNode;
}

function Ended({ isFailure = false, isAwaited = true, children }: EndedProps) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAwaited) notice.current?.scrollIntoView({ block: 'center' });
  }, [isAwaited]);
  return (
    <div
      ref={notice}
      className={isFailure ? 'notice notice-error stack' : 'notice notice-good'}
      role={isFailure ? 'alert' : 'status'}
    >
      {children}
    </div>
  );
}

import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { cutMiddle } from '../../lib/cut-middle.ts';
import type { Deployment } from '../../lib/describe-deployment.ts';
import { inConsoleWords } from '../../lib/in-console-words.ts';
import { showMarks } from '../../lib/visible-name.ts';
import { LinkedWords } from '../../parts/linked-words.tsx';
import type { LogBuffer } from '../../parts/log-view/buffer.ts';
import { goToHash } from '../../parts/log-view/use-marks.ts';
import { failingLine, isNote } from './failing-line.ts';

interface FailureNoticeProps {
  deployment: Deployment;
  log: LogBuffer;
  /** What to do next. */
  children?: ReactNode;
}

/** Why it failed or was stopped, where the log says more, and how to go on. */
export function FailureNotice({ deployment: { status, error }, log, children }: FailureNoticeProps) {
  const version = useSyncExternalStore(log.subscribe, log.version);
  const line = useMemo(
    () => (status === 'failed' ? failingLine(log.lines, error) : null),
    // The lines of a log are the same list while it grows.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [status, error, log, version],
  );
  if (!error || (status !== 'failed' && status !== 'cancelled')) return null;
  return (
    <div className={status === 'failed' ? 'notice notice-error stack' : 'notice stack'}>
      <div role="alert">
        <p>
          <LinkedWords text={inConsoleWords(error)} /> {line !== null && <JumpTo line={line} />}
        </p>
        {line !== null && <Said text={log.lines[line - 1]!.plain} />}
      </div>
      {children}
    </div>
  );
}

function JumpTo({ line }: { line: number }) {
  return (
    <a
      href={`#L${line}`}
      className="deployment-jump"
      onClick={(event) => {
        event.preventDefault();
        goToHash(`#L${line}`);
      }}
    >
      Show line {line}
    </a>
  );
}

/** Three lines of a phone. */
const ROOM = 160;

/** What the failing command said itself; what the platform said stands there already. */
function Said({ text }: { text: string }) {
  if (isNote(text) || text.trim() === '') return null;
  return <code className="deployment-said">{cutMiddle(showMarks(text.trim()), ROOM)}</code>;
}

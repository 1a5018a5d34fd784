import { useSyncExternalStore } from 'react';
import type { Deployment } from '../../lib/describe-deployment.ts';
import type { LogBuffer } from '../../parts/log-view/buffer.ts';
import { goToHash } from '../../parts/log-view/use-marks.ts';
import { failingLine } from './failing-line.ts';

/** Why it failed or was stopped, and where the log says more. */
export function FailureNotice({ deployment: { status, error }, log }: { deployment: Deployment; log: LogBuffer }) {
  useSyncExternalStore(log.subscribe, log.version);
  if (!error || (status !== 'failed' && status !== 'cancelled')) return null;
  const plain = log.lines.map((line) => line.plain);
  const line = status === 'failed' ? failingLine(plain, error) : null;
  return (
    <p className={status === 'failed' ? 'notice notice-error' : 'notice'} role="alert">
      {error}{' '}
      {line !== null && (
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
      )}
    </p>
  );
}

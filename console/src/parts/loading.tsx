import { mayPass } from '@lilac/contract/client';
import type { ReactNode } from 'react';
import { canBeAskedAgain } from '../lib/describe-error.ts';
import type { Loaded } from '../lib/use-call.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface LoadingProps<T> {
  of: Loaded<T>;
  children: (data: T) => ReactNode;
}

/** What was asked for, or that it is on its way, or why it did not come. */
export function Loading<T>({ of, children }: LoadingProps<T>) {
  if (of.data !== undefined) return children(of.data);
  if (of.error === undefined) return <Waiting />;
  return (
    <div className="stack">
      <ErrorNotice error={of.error} />
      {canBeAskedAgain(of.error) && (
        <div className="actions">
          <Button onClick={of.reload}>Try again</Button>
          {mayPass(of.error) && <span className="meta">Trying again automatically.</span>}
        </div>
      )}
    </div>
  );
}

/** Appears only after a moment, so that quick answers do not flicker. */
export function Waiting() {
  return (
    <p className="waiting" role="status">
      Loading…
    </p>
  );
}

import { Component, type ReactNode, Suspense } from 'react';
import { isAnswering } from '../lib/is-answering.ts';
import { useAction } from '../lib/use-action.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { Waiting } from './loading.tsx';

/** A page that fails takes only itself down: the way to the others stays. */
export class PageBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (this.state.hasFailed) return <FailedPage />;
    return <Suspense fallback={<Waiting />}>{this.props.children}</Suspense>;
  }
}

function FailedPage() {
  const again = useAction(async () => {
    // Without an answer the browser would put a page of its own in place of everything.
    if (!(await isAnswering())) throw new TypeError('nothing answers');
    location.reload();
  });
  return (
    <div className="page">
      {again.error === null ? (
        <p className="notice notice-error" role="alert">
          This page could not be shown. The connection may have been lost.
        </p>
      ) : (
        <ErrorNotice error={again.error} />
      )}
      <div className="actions">
        <Button isBusy={again.isBusy} onClick={() => void again.run()}>
          Try again
        </Button>
      </div>
    </div>
  );
}

import { isAnswering } from '../lib/is-answering.ts';
import { useAction } from '../lib/use-action.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';

/** In place of a page that is not there. */
export function FailedPage({ isRetried = false }: { isRetried?: boolean }) {
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
          {isRetried && ' It is tried again by itself.'}
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

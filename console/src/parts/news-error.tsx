import { mayPass } from '@lilac/contract/client';
import { useIsLost } from '../session/use-reach.ts';
import { ErrorNotice } from './error-notice.tsx';

/** Why what is shown could not be renewed. That nobody answers at all is said above every page, and not twice. */
export function NewsError({ error }: { error: unknown }) {
  const isLost = useIsLost();
  if (error === null || error === undefined) return null;
  if (!mayPass(error)) return <ErrorNotice error={error} />;
  if (isLost) return null;
  return (
    <p className="notice notice-warning" role="status">
      The platform did not answer. This page may be out of date. Trying again automatically.
    </p>
  );
}

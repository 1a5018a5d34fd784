import './connection-notice.css';
import { useIsLost } from '../session/use-reach.ts';

/** For every page: what it shows cannot be renewed. It goes by itself, and pages ask anew then. */
export function ConnectionNotice() {
  const isLost = useIsLost();
  return (
    <div className="connection" role="status">
      {isLost && (
        <p className="notice notice-warning connection-lost">
          No connection to the platform. This page may be out of date. Trying again automatically.
        </p>
      )}
    </div>
  );
}

import { isNewer, nameAmong } from '../lib/describe-deployment.ts';
import { deploymentsOf, type Rollback } from '../lib/rollback.ts';
import { Link } from '../lib/router.tsx';

export function RolledBackNotice({ rollback }: { rollback: Rollback | null }) {
  if (!rollback) return null;
  const { wanted, until, newer } = rollback;
  const all = deploymentsOf(rollback);
  return (
    <p className="notice notice-warning">
      <strong>{sayWay(rollback)}</strong> to “{nameAmong(wanted, all)}”{sayUntil(rollback)}{' '}
      {newer.id !== until?.id && (
        <>
          <Link href={`/deployments/${newer.id}`}>{nameAmong(newer, all)}</Link> is newer, and not served.
        </>
      )}
    </p>
  );
}

/** Between two that were set aside one can go forward too. */
function sayWay({ wanted, until }: Rollback): string {
  if (wanted.is_live) return 'Rolled back';
  return until && isNewer(wanted, until) ? 'Going forward' : 'Going back';
}

/** What is served may be too old to be listed. */
function sayUntil(rollback: Rollback): string {
  const { wanted, until } = rollback;
  if (wanted.is_live) return '.';
  return until
    ? `; until it is ready, “${nameAmong(until, deploymentsOf(rollback))}” is served.`
    : '; it is not ready yet.';
}

import { nameAmong } from '../lib/describe-deployment.ts';
import type { Rollback } from '../lib/rollback.ts';
import { Link } from '../lib/router.tsx';

export function RolledBackNotice({ rollback }: { rollback: Rollback | null }) {
  if (!rollback) return null;
  const { live, newer } = rollback;
  const both = [live, newer];
  return (
    <p className="notice notice-warning">
      <strong>Rolled back</strong> to “{nameAmong(live, both)}”.{' '}
      <Link href={`/deployments/${newer.id}`}>{nameAmong(newer, both)}</Link> is newer, and not served.
    </p>
  );
}

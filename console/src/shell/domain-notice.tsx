import { domainWarnings } from '../lib/domain-warnings.ts';
import { Link } from '../lib/router.tsx';
import { useCall } from '../lib/use-call.ts';
import { useNow } from '../lib/use-now.ts';
import { useMember } from './member-context.ts';

/** Wherever one is: a domain that is about to stop, or has. The page of domains says it beside each of them. */
export function DomainNotice({ path }: { path: string }) {
  return path === '/domains' ? null : <Notice />;
}

const MOST_ENTRIES = 100;

function Notice() {
  const { organisation } = useMember();
  const activity = useCall('organisations.activity', {
    body: { targetOrganisationId: organisation.id, limit: MOST_ENTRIES },
  });
  const warnings = domainWarnings(activity.data ?? [], useNow());
  if (warnings.length === 0) return null;
  return (
    <aside className="notice notice-warning from-shell" aria-label="Domains">
      <ul>
        {warnings.map(({ environmentId, subject, what }) => (
          <li key={environmentId}>
            <strong>{subject ?? 'An environment'}</strong>: {what}.
          </li>
        ))}
      </ul>
      <p>
        <Link href="/domains">See what can be done</Link>
      </p>
    </aside>
  );
}

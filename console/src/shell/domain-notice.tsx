import { describeWarning } from '../lib/domain-warnings.ts';
import { paceOfWarnings } from '../lib/news-pace.ts';
import { Link } from '../lib/router.tsx';
import { useCall } from '../lib/use-call.ts';
import { useMember } from './member-context.ts';
import { Name } from '../parts/name.tsx';

/** Wherever one is: a domain that is about to stop, or has. The page of domains says it beside each of them. */
export function DomainNotice({ path }: { path: string }) {
  return path === '/domains' ? null : <Notice />;
}

function Notice() {
  const { organisation } = useMember();
  const body = { targetOrganisationId: organisation.id };
  const { data: warnings = [] } = useCall('applications.domain-warnings', { body }, { refreshMs: paceOfWarnings });
  if (warnings.length === 0) return null;
  return (
    <aside className="notice notice-warning from-shell" aria-label="Domains">
      <ul>
        {warnings.map((warning) => (
          <li key={`${warning.environment_id} ${warning.problem}`}>
            <strong>
              <Name of={warning.subject} />
            </strong>
            : {describeWarning(warning)}.
          </li>
        ))}
      </ul>
      <p>
        <Link href="/domains">See what can be done</Link>
      </p>
    </aside>
  );
}

import { Link } from '../../../lib/router.tsx';
import { Name } from '../../../parts/name.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { byDatabase } from './by-database.ts';
import { useConnected } from './use-connected.ts';

/** Which databases it uses; nothing where there is none. */
export function DatabaseFacts({ environmentId }: { environmentId: string }) {
  const databases = byDatabase(useConnected(environmentId));
  if (databases.length === 0) return null;
  return (
    <>
      <dt>{databases.length === 1 ? 'Database' : 'Databases'}</dt>
      <dd>
        <ul className="env-databases" aria-label="Connected databases">
          {databases.map(({ database_id, name, status, variables }) => (
            <li key={database_id}>
              <Link href={`/databases/${database_id}`}>
                <Name of={name} />
              </Link>{' '}
              in <code>{variables.join(', ')}</code> {status !== 'healthy' && <StatusBadge status={status} />}
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

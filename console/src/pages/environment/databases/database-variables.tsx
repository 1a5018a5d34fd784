import { Link } from '../../../lib/router.tsx';
import { Name } from '../../../parts/name.tsx';
import { Section } from '../../../parts/section.tsx';
import { useConnected } from './use-connected.ts';

/** The variables that nobody typed: where they come from, and where one changes that. */
export function DatabaseVariables({ environmentId }: { environmentId: string }) {
  const connected = useConnected(environmentId);
  if (connected.length === 0) return null;
  return (
    <Section
      title="From databases"
      about="Lilac fills these in with the address of a database, and keeps its password up to date. They are there from the next release on; connect and disconnect on the page of the database."
    >
      <ul className="rows" aria-label="Variables from databases">
        {connected.map(({ variable, database_id, name }) => (
          <li key={variable} className="row">
            <code className="row-main">{variable}</code>
            <span className="meta break">
              the address of{' '}
              <Link href={`/databases/${database_id}`}>
                <Name of={name} />
              </Link>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

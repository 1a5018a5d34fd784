import { useCall } from '../../../lib/use-call.ts';
import { Loading } from '../../../parts/loading.tsx';
import { Section } from '../../../parts/section.tsx';
import { usePermission } from '../../../shell/member-context.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { ConnectForm } from './connect-form.tsx';
import { LinkRow } from './link-row.tsx';

/** Which environments have its address in a variable. */
export function LinksSection({ database }: { database: Database }) {
  const links = useCall('databases.links', { body: useAddressed(database) });
  const canChange = usePermission('update:projects');
  return (
    <Section
      title="Connected environments"
      about="They find its address in a variable from their next release on, and get a new password by themselves."
    >
      <Loading of={links}>
        {(list) =>
          list.length === 0 ? (
            <p className="meta">None yet.</p>
          ) : (
            <ul className="rows" aria-label="Connected environments">
              {list.map((link) => (
                <LinkRow
                  key={`${link.environment_id} ${link.variable}`}
                  {...{ link, database, canChange, onChanged: links.reload }}
                />
              ))}
            </ul>
          )
        }
      </Loading>
      {canChange && <ConnectForm database={database} onChanged={links.reload} />}
    </Section>
  );
}

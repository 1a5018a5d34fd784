import { useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { Link } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useMember } from '../../shell/member-context.ts';
import { EnvironmentRow } from './environment-row.tsx';

type Application = OutputOf<'applications.list'>['items'][number];

/** Every application on a page asks for its environments. */
const PAGE_SIZE = 10;

export function DomainsPage() {
  const { organisation } = useMember();
  const [page, setPage] = useState(1);
  const applications = useCall('applications.list', {
    body: { targetOrganisationId: organisation.id, page, limit: PAGE_SIZE },
  });
  return (
    <Page
      title="Domains"
      about={`Names of your own for what ${organisation.name} runs. Their certificates come and are renewed by themselves.`}
    >
      <Loading of={applications}>
        {(list) => (
          <>
            {list.totalItems === 0 && (
              <EmptyState
                title="No applications yet"
                actions={
                  <Link href="/" className="button">
                    To the applications
                  </Link>
                }
              >
                Every application has an address already. As soon as there is one, it can have a domain of yours as
                well.
              </EmptyState>
            )}
            {list.items.map((application) => (
              <ApplicationSection key={application.id} application={application} />
            ))}
            <Pager list={list} onPage={setPage} />
          </>
        )}
      </Loading>
    </Page>
  );
}

function ApplicationSection({ application: { id, name } }: { application: Application }) {
  const { organisation } = useMember();
  const environments = useCall('environments.list', {
    body: { targetOrganisationId: organisation.id, applicationId: id },
  });
  return (
    <Section title={name}>
      <Loading of={environments}>
        {(list) => (
          <ul className="rows" aria-label={`Environments of ${name}`}>
            {list.map((environment) => (
              <EnvironmentRow key={environment.id} environment={environment} />
            ))}
          </ul>
        )}
      </Loading>
    </Section>
  );
}

import { useState } from 'react';
import { Link } from '../../lib/router.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useMember } from '../../shell/member-context.ts';
import { EnvironmentRow } from './environment-row.tsx';
import { type NamedApplication, useNamedApplications } from './use-named-applications.ts';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

export function DomainsPage() {
  const { organisation } = useMember();
  const [page, setPage] = useState(1);
  const applications = useNamedApplications(page);
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

function ApplicationSection({ application: { id, name, environments } }: { application: NamedApplication }) {
  return (
    <Section
      title={
        <Link href={`/apps/${id}`} className="domain-owner">
          <Name of={name} />
        </Link>
      }
    >
      <ul className="rows" aria-label={showMarks(`Environments of ${name}`)}>
        {environments.map((environment) => (
          <EnvironmentRow key={environment.id} environment={environment} isLinked />
        ))}
      </ul>
    </Section>
  );
}

import { readPageNumber } from '../../lib/page-of-items.ts';
import { Link, replaceAddress, useQuery } from '../../lib/router.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { Section } from '../../parts/section.tsx';
import { useMember } from '../../shell/member-context.ts';
import { EnvironmentRow } from './environment-row.tsx';
import { MOST_LOOKED, type NamedApplication } from './read-named.ts';
import { useNamedApplications } from './use-named-applications.ts';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

const LONGEST_SEARCH = 200;

export function DomainsPage() {
  const { organisation } = useMember();
  const [page, setPage] = useQuery('page');
  const [search] = useQuery('q');
  const applications = useNamedApplications(readPageNumber(page), search.trim().slice(0, LONGEST_SEARCH));
  return (
    <Page
      title="Domains"
      about={`Names of your own for what ${organisation.name} runs. Where Lilac serves https, their certificates come and are renewed by themselves.`}
    >
      <Loading of={applications}>
        {(list) => (
          <>
            {(list.totalPages > 1 || search !== '') && (
              <div className="toolbar" role="search" aria-label="Applications">
                <SearchBox value={search} onSearch={searchFor} />
              </div>
            )}
            {list.isCut && (
              <p className="notice" role="status">
                There are more than {MOST_LOOKED} applications: those with a domain come first on each page. Search for
                one by its name.
              </p>
            )}
            {list.totalItems === 0 && search !== '' && (
              <p className="card about">No application is called like “{showMarks(search)}”.</p>
            )}
            {list.totalItems === 0 && search === '' && (
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
            <Pager list={list} onPage={(next) => setPage(String(next))} />
          </>
        )}
      </Loading>
    </Page>
  );
}

/** What is found begins with its first page. */
function searchFor(text: string): void {
  replaceAddress(location.pathname + (text === '' ? '' : `?${new URLSearchParams({ q: text })}`));
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

import './databases.css';
import { Link } from '../../lib/router.tsx';
import { useFolders } from '../../lib/use-folders.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NewsError } from '../../parts/news-error.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { DatabaseRow } from './database-row.tsx';
import { useTiers } from './use-tiers.ts';
import { useDatabaseList } from './use-database-list.ts';

export function DatabasesPage() {
  const { organisation } = useMember();
  const { list, search, show } = useDatabaseList();
  const tiers = useTiers();
  const folders = useFolders().data ?? [];
  return (
    <Page
      title="Databases"
      about={`The PostgreSQL and MySQL servers of ${organisation.name}.`}
      actions={<NewDatabase />}
    >
      <Loading of={list}>
        {(shown) =>
          shown.totalItems === 0 && search === '' ? (
            <NoDatabases />
          ) : (
            <>
              <div className="toolbar" role="search" aria-label="Databases">
                <SearchBox value={search} onSearch={(text) => show({ search: text })} />
              </div>
              <NewsError error={list.error} />
              {shown.items.length === 0 ? (
                <p className="card about">No database matches “{search}”.</p>
              ) : (
                <ul className="card rows database-rows" aria-label="Databases">
                  {shown.items.map((database) => (
                    <DatabaseRow key={database.id} {...{ database, tiers, folders }} />
                  ))}
                </ul>
              )}
              <Pager list={shown} onPage={(page) => show({ search, page })} />
            </>
          )
        }
      </Loading>
    </Page>
  );
}

function NewDatabase() {
  if (!usePermission('create:projects')) return null;
  return (
    <Link href="/databases/new" className="button button-primary with-icon">
      <Icon name="plus" /> New database
    </Link>
  );
}

function NoDatabases() {
  const canCreate = usePermission('create:projects');
  return (
    <EmptyState
      title="No databases yet"
      actions={
        canCreate && (
          <Link href="/databases/new" className="button button-primary">
            Create a database
          </Link>
        )
      }
    >
      A database is a server of its own, backed up every day. It is there in seconds, and your applications get its
      address in a variable.
    </EmptyState>
  );
}

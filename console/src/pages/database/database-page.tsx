import '../databases/databases.css';
import './database.css';
import type { ReactNode } from 'react';
import { hasCode } from '../../lib/has-code.ts';
import { useParam, usePath } from '../../lib/router.tsx';
import type { Loaded } from '../../lib/use-call.ts';
import { useFlag } from '../../lib/use-flag.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { GonePage } from '../../parts/gone-page.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Database, nameEngine } from '../databases/describe-database.ts';
import { BackupsTab } from './backups/backups-tab.tsx';
import { DataTab } from './data/data-tab.tsx';
import { DatabaseState } from './database-state.tsx';
import { OverviewTab } from './overview/overview-tab.tsx';
import { QueryTab } from './query/query-tab.tsx';
import { useQueryRunner } from './query/use-query-runner.ts';
import { SettingsTab } from './settings/settings-tab.tsx';
import { useDatabase } from './use-database.ts';

const list = { href: '/databases', label: 'Databases' };

export function DatabasePage() {
  const databaseId = useParam('databaseId');
  const loaded = useDatabase(databaseId);
  const explorer = useFlag('data_explorer');
  const path = `/databases/${encodeURIComponent(databaseId)}`;
  if (hasCode(loaded.error, 'NF001')) return <GonePage kind="database" list={list} />;
  return (
    <Page
      title={loaded.data?.name ?? 'Database'}
      subject={databaseId}
      crumbs={[list]}
      badge={loaded.data && <StatusBadge status={loaded.data.status} />}
      about={loaded.data && nameEngine(loaded.data)}
      tabs={tabsOf(path, explorer.data === true)}
    >
      <Loading of={loaded}>
        {(database) => (
          <>
            <DatabaseState database={database} progress={loaded.progress} onChanged={loaded.reload} />
            <TabOf database={database} explorer={explorer} onChanged={loaded.reload} />
          </>
        )}
      </Loading>
    </Page>
  );
}

function tabsOf(path: string, hasExplorer: boolean) {
  return [
    { href: path, label: 'Overview' },
    ...(hasExplorer
      ? [
          { href: `${path}/data`, label: 'Data' },
          { href: `${path}/query`, label: 'Query' },
        ]
      : []),
    { href: `${path}/backups`, label: 'Backups' },
    { href: `${path}/settings`, label: 'Settings' },
  ];
}

interface TabProps {
  database: Database;
  /** Whether there is one. */
  explorer: Loaded<boolean>;
  onChanged: () => void;
}

/** The last part of the address says which. */
function TabOf({ database, explorer, onChanged }: TabProps): ReactNode {
  const tab = usePath().split('/')[3] ?? '';
  const runner = useQueryRunner(database);
  const explored = (shown: ReactNode) => (
    <Loading of={explorer}>{(hasExplorer) => (hasExplorer ? shown : <NoExplorer />)}</Loading>
  );
  if (tab === 'data') return explored(<DataTab database={database} />);
  if (tab === 'query') return explored(<QueryTab database={database} runner={runner} />);
  if (tab === 'backups') return <BackupsTab database={database} onChanged={onChanged} />;
  if (tab === 'settings') return <SettingsTab database={database} onChanged={onChanged} />;
  return <OverviewTab database={database} />;
}

function NoExplorer() {
  return (
    <EmptyState title="The data explorer is switched off">Whoever runs this platform can switch it on.</EmptyState>
  );
}

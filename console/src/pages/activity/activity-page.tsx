import { Link, useQuery } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Page } from '../../parts/page.tsx';
import { useMember } from '../../shell/member-context.ts';
import { ActivityRow } from './activity-row.tsx';
import { type ActivityEntry, subjectPath } from './describe-activity.ts';
import { Name } from '../../parts/name.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 20_000;

export function ActivityPage() {
  const { organisation } = useMember();
  const [page, setPage] = useQuery('page');
  const current = /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1;
  // One more than is shown tells whether there are further ones.
  const body = { targetOrganisationId: organisation.id, limit: PAGE_SIZE + 1, offset: (current - 1) * PAGE_SIZE };
  const entries = useCall('organisations.activity', { body }, { refreshMs: current === 1 ? REFRESH_MS : null });
  return (
    <Page
      title="Activity"
      about={`What happened in ${organisation.name}, newest first. Secrets and the values of variables are never recorded.`}
    >
      <Loading of={entries}>
        {(list) =>
          list.length === 0 && current === 1 ? (
            <EmptyState title="Nothing has happened yet" />
          ) : (
            <div className="card">
              <Entries entries={list.slice(0, PAGE_SIZE)} />
              <Turning
                current={current}
                hasMore={list.length > PAGE_SIZE}
                onTurn={(next) => setPage(next === 1 ? '' : String(next))}
              />
            </div>
          )
        }
      </Loading>
    </Page>
  );
}

function Entries({ entries }: { entries: readonly ActivityEntry[] }) {
  if (entries.length === 0) return <p className="about">There is nothing older.</p>;
  return (
    <ul className="rows" aria-label="Activity">
      {entries.map((entry) => (
        <ActivityRow key={entry.id} entry={entry}>
          <Subject entry={entry} />
        </ActivityRow>
      ))}
    </ul>
  );
}

function Subject({ entry }: { entry: ActivityEntry }) {
  const path = subjectPath(entry);
  if (!entry.subject) return null;
  const shown = <Name of={entry.subject} />;
  return <span className="break">{path ? <Link href={path}>{shown}</Link> : shown}</span>;
}

interface TurningProps {
  current: number;
  hasMore: boolean;
  onTurn: (page: number) => void;
}

/** How many there are is not counted, so there is no last page to name. */
function Turning({ current, hasMore, onTurn }: TurningProps) {
  if (current === 1 && !hasMore) return null;
  return (
    <nav aria-label="Pages" className="actions pager">
      <Button disabled={current === 1} onClick={() => onTurn(current - 1)}>
        Newer
      </Button>
      <span className="meta">Page {current}</span>
      <Button disabled={!hasMore} onClick={() => onTurn(current + 1)}>
        Older
      </Button>
    </nav>
  );
}

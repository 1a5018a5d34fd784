import { useCall } from '../../lib/use-call.ts';
import { Pager } from '../../parts/pager.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { ApplicationRow } from './application-row.tsx';
import type { Folder } from './folder-bar.tsx';
import { FolderSelect } from './folder-select.tsx';
import type { ApplicationList, ListedApplication } from './list-request.ts';

interface ApplicationRowsProps {
  list: ApplicationList;
  folders: readonly Folder[];
  /** What is said where there are none. */
  nothing: string;
  onPage: (page: number) => void;
  onChanged: () => void;
}

export function ApplicationRows({ list, folders, nothing, onPage, onChanged }: ApplicationRowsProps) {
  const sparks = useSparks(list.items);
  const mayMove = usePermission('update:projects') && folders.length > 0;
  if (list.totalItems === 0) return <p className="card about">{nothing}</p>;
  return (
    <div className="card">
      <ul className="rows" aria-label="Applications">
        {list.items.map((application) => (
          <ApplicationRow
            key={application.id}
            application={application}
            points={sparks?.[application.production_environment_id ?? '']}
          >
            {mayMove && <FolderSelect {...{ application, folders }} onMoved={onChanged} />}
          </ApplicationRow>
        ))}
      </ul>
      <Pager list={list} onPage={onPage} />
    </div>
  );
}

const REFRESH_MS = 30_000;

/** One question for the whole page. */
function useSparks(items: readonly ListedApplication[]) {
  const targetOrganisationId = useMember().organisation.id;
  const environmentIds = items.flatMap(({ production_environment_id: id }) => id ?? []);
  const input = environmentIds.length > 0 ? { body: { targetOrganisationId, environmentIds } } : null;
  return useCall('metrics.sparkline', input, { refreshMs: REFRESH_MS }).data?.environments;
}

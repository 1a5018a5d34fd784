import { useCall } from '../../lib/use-call.ts';
import type { Folder } from '../../lib/use-folders.ts';
import { Pager } from '../../parts/pager.tsx';
import { useMember, usePermission } from '../../shell/member-context.ts';
import { ApplicationRow } from './application-row.tsx';
import { FolderSelect } from './folder-select.tsx';
import type { ApplicationList, ListedApplication } from './list-request.ts';

interface ApplicationRowsProps {
  list: ApplicationList;
  folders: readonly Folder[];
  isMoving: boolean;
  /** What is said where there are none. */
  nothing: string;
  onPage: (page: number) => void;
  onChanged: () => void;
}

export function ApplicationRows({ list, folders, isMoving, nothing, onPage, onChanged }: ApplicationRowsProps) {
  const sparks = useSparks(list.items);
  const mayMove = usePermission('update:projects') && isMoving && folders.length > 0;
  if (list.totalItems === 0) return <p className="card about">{nothing}</p>;
  return (
    <div className="card">
      {/* For the eye: each row names its own parts. */}
      <div className="app-head meta" aria-hidden="true">
        <span>Application</span>
        <span>Deployment</span>
        <span>Last hour</span>
      </div>
      <ul className="rows" aria-label="Applications">
        {list.items.map((application) => (
          <ApplicationRow
            key={application.id}
            application={application}
            folder={folders.find(({ id }) => id === application.project_id)?.name ?? null}
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

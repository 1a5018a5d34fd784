import { useAction } from '../../lib/use-action.ts';
import type { Folder } from '../../lib/use-folders.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { showMarks } from '../../lib/visible-name.ts';

interface FolderSelectProps {
  application: { id: string; name: string; project_id: string | null };
  folders: readonly Folder[];
  onMoved: () => void;
}

/** Where an application is filed; choosing another moves it there. */
export function FolderSelect({ application: { id, name, project_id }, folders, onMoved }: FolderSelectProps) {
  const targetOrganisationId = useMember().organisation.id;
  const move = useAction(async (folderId: string) => {
    const body = { targetOrganisationId, applicationId: id, targetFolderId: folderId || null };
    await browserSession.call('applications.move', { body });
    onMoved();
  });
  return (
    <div className="folder-select">
      <select
        aria-label={showMarks(`Folder of ${name}`)}
        aria-busy={move.isBusy || undefined}
        value={project_id ?? ''}
        onChange={(event) => void move.run(event.target.value)}
      >
        <option value="">No folder</option>
        {folders.map((folder) => (
          <option key={folder.id} value={folder.id}>
            {showMarks(folder.name)}
          </option>
        ))}
      </select>
      <ErrorNotice error={move.error} />
    </div>
  );
}

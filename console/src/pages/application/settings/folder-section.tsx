import { useFolders } from '../../../lib/use-folders.ts';
import { FolderForm } from '../../../parts/folder-form.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { SettingsProps } from './application-settings.tsx';

export function FolderSection({ application: { id, project_id }, onChanged }: SettingsProps) {
  const targetOrganisationId = useMember().organisation.id;
  const folders = useFolders();
  const move = async (targetFolderId: string | null) => {
    const body = { targetOrganisationId, applicationId: id, targetFolderId };
    await browserSession.call('applications.move', { body });
    onChanged();
  };
  return (
    <Section title="Folder" about="Folders keep the list of applications tidy, and change nothing else.">
      <Loading of={folders}>
        {(items) => <FolderForm folders={items} current={project_id} onMove={move} isTitled />}
      </Loading>
    </Section>
  );
}

import { useEdited } from '../../../lib/use-edited.ts';
import { useFolders } from '../../../lib/use-folders.ts';
import { SelectField } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Loading } from '../../../parts/loading.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { SettingsProps } from './application-settings.tsx';
import { showMarks } from '../../../lib/visible-name.ts';

export function FolderSection({ application: { id, project_id }, onChanged }: SettingsProps) {
  const targetOrganisationId = useMember().organisation.id;
  const folders = useFolders();
  const { values, changes, isChanged, edit, settle } = useEdited({ folder: project_id ?? '' });
  const move = async () => {
    const body = { targetOrganisationId, applicationId: id, targetFolderId: values.folder || null };
    await browserSession.call('applications.move', { body });
    settle(changes);
    onChanged();
  };
  return (
    <Section title="Folder" about="Folders keep the list of applications tidy, and change nothing else.">
      <Loading of={folders}>
        {(items) => (
          <Form
            label="Folder"
            submit="Move"
            submitLook="plain"
            onSubmit={move}
            done="Moved"
            unsaved={isChanged && 'It is not moved to the folder that you chose.'}
          >
            <SelectField
              label="Folder"
              isTitled
              name="folder"
              value={values.folder}
              onChange={(event) => edit({ folder: event.target.value })}
            >
              <option value="">No folder</option>
              {items.map((folder) => (
                <option key={folder.id} value={folder.id}>
                  {showMarks(folder.name)}
                </option>
              ))}
            </SelectField>
          </Form>
        )}
      </Loading>
    </Section>
  );
}

import { useFolders } from '../../../lib/use-folders.ts';
import { Field, SelectField } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useAddressed } from '../use-addressed.ts';
import type { SettingsProps } from './settings-tab.tsx';
import { useUpdate } from './use-update.ts';
import { showMarks } from '../../../lib/visible-name.ts';

export function GeneralSection(props: SettingsProps) {
  const { database } = props;
  const update = useUpdate(props);
  const hasFolders = (useFolders().data ?? []).length > 0;
  return (
    <Section title={hasFolders ? 'Name and folder' : 'Name'}>
      <Form label="Name" submit="Rename" submitLook="plain" onSubmit={({ name = '' }) => update({ name })} done="Saved">
        <Field
          label="Name"
          isTitled={!hasFolders}
          name="name"
          defaultValue={database.name}
          maxLength={100}
          autoComplete="off"
          required
        />
      </Form>
      <FolderForm {...props} />
    </Section>
  );
}

function FolderForm({ database, onChanged }: SettingsProps) {
  const addressed = useAddressed(database);
  const folders = useFolders().data ?? [];
  if (folders.length === 0) return null;
  const move = async (folder: string) => {
    await browserSession.call('databases.move', { body: { ...addressed, targetFolderId: folder || null } });
    onChanged();
  };
  return (
    <Form label="Folder" submit="Move" submitLook="plain" onSubmit={({ folder = '' }) => move(folder)} done="Moved">
      <SelectField key={folders.length} label="Folder" name="folder" defaultValue={database.project_id ?? ''}>
        <option value="">No folder</option>
        {folders.map(({ id, name }) => (
          <option key={id} value={id}>
            {showMarks(name)}
          </option>
        ))}
      </SelectField>
    </Form>
  );
}

import { useEdited } from '../../../lib/use-edited.ts';
import { type Folder, useFolders } from '../../../lib/use-folders.ts';
import { Field, SelectField } from '../../../parts/field.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useAddressed } from '../use-addressed.ts';
import type { SettingsProps } from './settings-tab.tsx';
import { useUpdate } from './use-update.ts';
import { showMarks } from '../../../lib/visible-name.ts';

export function GeneralSection(props: SettingsProps) {
  const folders = useFolders().data ?? [];
  const hasFolders = folders.length > 0;
  return (
    <Section title={hasFolders ? 'Name and folder' : 'Name'}>
      <NameForm {...props} isTitled={!hasFolders} />
      {hasFolders && <FolderForm {...props} folders={folders} />}
    </Section>
  );
}

function NameForm({ isTitled, ...props }: SettingsProps & { isTitled: boolean }) {
  const update = useUpdate(props);
  const { values, changes, isChanged, edit, settle } = useEdited({ name: props.database.name });
  const rename = async () => {
    await update(values);
    settle(changes);
  };
  return (
    <Form
      label="Name"
      submit="Rename"
      submitLook="plain"
      onSubmit={rename}
      done="Saved"
      unsaved={isChanged && 'The new name is not saved.'}
    >
      <Field
        label="Name"
        isTitled={isTitled}
        name="name"
        value={values.name}
        onChange={(event) => edit({ name: event.target.value })}
        maxLength={100}
        autoComplete="off"
        required
      />
    </Form>
  );
}

function FolderForm({ database, onChanged, folders }: SettingsProps & { folders: readonly Folder[] }) {
  const addressed = useAddressed(database);
  const { values, changes, isChanged, edit, settle } = useEdited({ folder: database.project_id ?? '' });
  const move = async () => {
    await browserSession.call('databases.move', { body: { ...addressed, targetFolderId: values.folder || null } });
    settle(changes);
    onChanged();
  };
  return (
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
        name="folder"
        value={values.folder}
        onChange={(event) => edit({ folder: event.target.value })}
      >
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

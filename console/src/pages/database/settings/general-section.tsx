import { useEdited } from '../../../lib/use-edited.ts';
import { useFolders } from '../../../lib/use-folders.ts';
import { Field } from '../../../parts/field.tsx';
import { FolderForm } from '../../../parts/folder-form.tsx';
import { Form } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useAddressed } from '../use-addressed.ts';
import type { SettingsProps } from './settings-tab.tsx';
import { useUpdate } from './use-update.ts';

export function GeneralSection(props: SettingsProps) {
  const folders = useFolders().data ?? [];
  const hasFolders = folders.length > 0;
  const addressed = useAddressed(props.database);
  const move = async (targetFolderId: string | null) => {
    await browserSession.call('databases.move', { body: { ...addressed, targetFolderId } });
    props.onChanged();
  };
  return (
    <Section title={hasFolders ? 'Name and folder' : 'Name'}>
      <NameForm {...props} isTitled={!hasFolders} />
      {hasFolders && <FolderForm folders={folders} current={props.database.project_id} onMove={move} />}
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

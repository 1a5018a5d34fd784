import { useEdited } from '../lib/use-edited.ts';
import type { Folder } from '../lib/use-folders.ts';
import { FolderField } from './folder-field.tsx';
import { Form } from './form.tsx';

interface FolderFormProps {
  folders: readonly Folder[];
  /** Where it is; null where it is in none. */
  current: string | null;
  onMove: (targetFolderId: string | null) => Promise<unknown>;
  /** The title above says the same as the label. */
  isTitled?: boolean;
}

/** Moves an application or a database to another folder, or out of all of them. */
export function FolderForm({ folders, current, onMove, isTitled = false }: FolderFormProps) {
  const { values, changes, isChanged, edit, settle } = useEdited({ folder: current ?? '' });
  const move = async () => {
    await onMove(values.folder || null);
    settle(changes);
  };
  return (
    <Form
      label="Folder"
      submit="Move"
      submitLook="plain"
      onSubmit={move}
      done="Saved"
      unsaved={isChanged && 'It is not moved to the folder that you chose.'}
    >
      <FolderField
        folders={folders}
        isTitled={isTitled}
        value={values.folder}
        onChange={(event) => edit({ folder: event.target.value })}
      />
    </Form>
  );
}

import { useRef } from 'react';
import type { Folder } from '../../lib/use-folders.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { showMarks } from '../../lib/visible-name.ts';

interface FolderFormProps {
  /** The one to rename; a new one where it is left out. */
  folder?: Folder;
  onSaved: () => void;
}

export function FolderForm({ folder, onSaved }: FolderFormProps) {
  const targetOrganisationId = useMember().organisation.id;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  const save = async (values: FormValues) => {
    const body = { targetOrganisationId, name: values['name']! };
    if (folder) await browserSession.call('projects.rename', { body: { ...body, projectId: folder.id } });
    else await browserSession.call('projects.create', { body });
    close();
    onSaved();
  };
  const title = folder ? showMarks(`Rename ${folder.name}`) : 'New folder';
  return (
    <>
      <Button look={folder ? 'quiet' : 'plain'} onClick={() => dialog.current?.showModal()} aria-label={title}>
        {folder ? 'Rename' : 'New folder'}
      </Button>
      <Dialog dialog={dialog} title={title}>
        <Form
          label={title}
          submit={folder ? 'Rename folder' : 'Create folder'}
          onSubmit={save}
          isResetting={!folder}
          actions={<Button onClick={close}>Cancel</Button>}
        >
          <Field label="Name" name="name" defaultValue={folder?.name} autoComplete="off" maxLength={100} required />
        </Form>
      </Dialog>
    </>
  );
}

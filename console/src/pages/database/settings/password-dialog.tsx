import { useEffect, useRef } from 'react';
import { requestClose } from '../../../lib/request-close.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { DatabasePasswordField } from '../../databases/own-names.tsx';

interface PasswordDialogProps {
  /** Of the database. */
  name: string;
  onChange: (values: FormValues) => Promise<unknown>;
  onClose: () => void;
}

const draft = {
  title: 'Close without changing it?',
  what: 'The password that you typed is lost.',
  leaving: 'Close and lose it',
};

/** Of an own password that was typed it is asked before it goes; nothing of it stays in the page. */
export function PasswordDialog({ name, onChange, onClose }: PasswordDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const change = async (values: FormValues) => {
    await onChange(values);
    dialog.current?.close();
  };
  return (
    <Dialog dialog={dialog} title={`Change the password of ${name}?`} onClose={onClose}>
      <p className="about">
        The old one stops working at once, and connections that were opened with it are ended. Clients elsewhere need
        the new one.
      </p>
      <Form
        label="Change the password"
        submit="Change the password"
        submitLook="danger"
        onSubmit={change}
        draft={draft}
        actions={<Button onClick={() => requestClose(dialog.current)}>Cancel</Button>}
      >
        <DatabasePasswordField label="New password, or leave it empty to have one made" name="newPassword" />
      </Form>
    </Dialog>
  );
}

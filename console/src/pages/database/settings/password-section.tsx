import { useRef, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Copyable } from '../../../parts/copyable.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { DatabasePasswordField } from '../../databases/own-names.tsx';
import { useAddressed } from '../use-addressed.ts';
import type { SettingsProps } from './settings-tab.tsx';

/** The old one stops at once, so that is asked about first. */
export function PasswordSection({ database, onChanged }: SettingsProps) {
  const addressed = useAddressed(database);
  const dialog = useRef<HTMLDialogElement>(null);
  const [made, setMade] = useState<string | null>(null);
  const rotate = async ({ newPassword }: FormValues) => {
    const body = { ...addressed, ...(newPassword && { newPassword }) };
    // Whatever becomes of this, an earlier one may not be the password any more.
    setMade(null);
    const { connectionString } = await browserSession.call('databases.rotate-password', { body });
    setMade(connectionString);
    dialog.current?.close();
    onChanged();
  };
  return (
    <Section
      title="Password"
      about="Connected environments get a new password by themselves, and their instances are replaced."
    >
      {made && (
        <div className="stack">
          <p className="notice notice-good" role="status">
            The password is new. The overview shows this connection string, too.
          </p>
          <Copyable label="New connection string" value={made} />
        </div>
      )}
      <div className="actions">
        <Button onClick={() => dialog.current?.showModal()}>Change the password</Button>
        {made && <Button onClick={() => setMade(null)}>Hide it</Button>}
      </div>
      <Dialog dialog={dialog} title={`Change the password of ${database.name}?`}>
        <p className="about">
          The old one stops working at once, and connections that were opened with it are ended. Clients elsewhere need
          the new one.
        </p>
        <Form
          label="Change the password"
          submit="Change the password"
          submitLook="danger"
          onSubmit={rotate}
          isResetting
          actions={<Button onClick={() => dialog.current?.close()}>Cancel</Button>}
        >
          <DatabasePasswordField label="New password, or leave it empty to have one made" name="newPassword" />
        </Form>
      </Dialog>
    </Section>
  );
}

import { useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Copyable } from '../../../parts/copyable.tsx';
import type { FormValues } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useAddressed } from '../use-addressed.ts';
import { PasswordDialog } from './password-dialog.tsx';
import type { SettingsProps } from './settings-tab.tsx';

/** The old one stops at once, so that is asked about first. */
export function PasswordSection({ database, onChanged }: SettingsProps) {
  const addressed = useAddressed(database);
  const [isAsked, setAsked] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const rotate = async ({ newPassword }: FormValues) => {
    const body = { ...addressed, ...(newPassword && { newPassword }) };
    // Whatever becomes of this, an earlier one may not be the password any more.
    setMade(null);
    const { connectionString } = await browserSession.call('databases.rotate-password', { body });
    setMade(connectionString);
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
        <Button onClick={() => setAsked(true)}>Change the password</Button>
        {made && <Button onClick={() => setMade(null)}>Hide it</Button>}
      </div>
      {isAsked && <PasswordDialog name={database.name} onChange={rotate} onClose={() => setAsked(false)} />}
    </Section>
  );
}

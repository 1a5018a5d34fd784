import { useState } from 'react';
import { Form, type FormValues } from '../../parts/form.tsx';
import { AccountBesidePassword } from '../../parts/account-beside-password.tsx';
import { NewPasswordField } from '../../parts/new-password-field.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { Section } from '../../parts/section.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';

export function PasswordSection() {
  const { profile } = useMember();
  const [typed, setTyped] = useState('');
  const change = async (values: FormValues) => {
    await changePassword(values);
    setTyped('');
  };
  return (
    <Section title="Password" about="Changing it signs out all your other devices.">
      <Form
        label="Change your password"
        submit="Change password"
        submitLook="plain"
        onSubmit={change}
        done="Saved"
        unsaved={typed !== '' && 'The new password that you typed is not saved.'}
        isResetting
      >
        <AccountBesidePassword email={profile.email} />
        <PasswordField label="Current password" name="currentPassword" autoComplete="current-password" required />
        <NewPasswordField label="New password" name="newPassword" onChange={(event) => setTyped(event.target.value)} />
      </Form>
    </Section>
  );
}

async function changePassword({ currentPassword, newPassword }: FormValues): Promise<void> {
  const body = { currentPassword: currentPassword!, newPassword: newPassword! };
  await browserSession.call('profile.password', { body });
}

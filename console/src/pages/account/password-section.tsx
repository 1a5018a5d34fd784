import { useState } from 'react';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { NewPasswordField } from '../../parts/new-password-field.tsx';
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
    <Section title="Password" about="Changing it signs every other device of yours out.">
      <Form
        label="Change your password"
        submit="Change password"
        submitLook="plain"
        onSubmit={change}
        done="Changed."
        unsaved={typed !== '' && 'The new password that you typed is not saved.'}
        isResetting
      >
        {/* Password managers look for the account beside the password. */}
        <input type="email" autoComplete="username" value={profile.email} readOnly hidden />
        <Field
          label="Current password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
        />
        <NewPasswordField label="New password" name="newPassword" onChange={(event) => setTyped(event.target.value)} />
      </Form>
    </Section>
  );
}

async function changePassword({ currentPassword, newPassword }: FormValues): Promise<void> {
  const body = { currentPassword: currentPassword!, newPassword: newPassword! };
  await browserSession.call('profile.password', { body });
}

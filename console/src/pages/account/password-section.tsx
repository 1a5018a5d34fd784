import { useState } from 'react';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { NewPasswordField } from '../../parts/new-password-field.tsx';
import { Section } from '../../parts/section.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';

export function PasswordSection() {
  const { profile } = useMember();
  const [isChanged, setChanged] = useState(false);
  const change = async ({ currentPassword, newPassword }: FormValues) => {
    setChanged(false);
    const body = { currentPassword: currentPassword!, newPassword: newPassword! };
    await browserSession.call('profile.password', { body });
    setChanged(true);
  };
  return (
    <Section title="Password" about="Changing it signs every other device of yours out.">
      <Form label="Change your password" submit="Change password" onSubmit={change} isResetting>
        {/* Password managers look for the account beside the password. */}
        <input className="visually-hidden" type="email" autoComplete="username" value={profile.email} readOnly hidden />
        <Field
          label="Current password"
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          required
        />
        <NewPasswordField label="New password" name="newPassword" />
        {isChanged && (
          <p className="notice notice-good" role="status">
            The password is changed.
          </p>
        )}
      </Form>
    </Section>
  );
}

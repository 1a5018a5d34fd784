import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { AccountBesidePassword } from '../../parts/account-beside-password.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';

export function DisableForm({ onDisabled, onBack }: { onDisabled: () => void; onBack: () => void }) {
  const { profile } = useMember();
  const disable = async ({ currentPassword, code }: FormValues) => {
    const body = { currentPassword: currentPassword!, code: code!.trim() };
    await browserSession.call('profile.mfa.disable', { body });
    onDisabled();
  };
  return (
    <Form
      label="Turn the second factor off"
      submit="Turn off"
      submitLook="danger"
      onSubmit={disable}
      actions={<Button onClick={onBack}>Cancel</Button>}
    >
      <AccountBesidePassword email={profile.email} />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        required
        autoFocus
      />
      <Field label="Code" name="code" hint="From your app, or a recovery code." autoComplete="one-time-code" required />
    </Form>
  );
}

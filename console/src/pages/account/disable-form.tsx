import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { browserSession } from '../../session/browser-session.ts';

export function DisableForm({ onDisabled, onBack }: { onDisabled: () => void; onBack: () => void }) {
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
      <Field
        label="Current password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
      />
      <Field label="Code" name="code" hint="From your app, or a recovery code." autoComplete="one-time-code" required />
    </Form>
  );
}

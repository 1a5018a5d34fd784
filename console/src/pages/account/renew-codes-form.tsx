import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { browserSession } from '../../session/browser-session.ts';

interface RenewCodesFormProps {
  onRenewed: (recoveryCodes: string[]) => void;
  onBack: () => void;
}

export function RenewCodesForm({ onRenewed, onBack }: RenewCodesFormProps) {
  const renew = async ({ code }: FormValues) => {
    const body = { code: code!.trim() };
    const { recoveryCodes } = await browserSession.call('profile.mfa.recovery-codes', { body });
    onRenewed(recoveryCodes);
  };
  return (
    <Form
      label="New recovery codes"
      submit="Replace the codes"
      onSubmit={renew}
      actions={<Button onClick={onBack}>Cancel</Button>}
    >
      <Field
        label="Code"
        name="code"
        hint="From your app, or a recovery code. The old recovery codes stop working."
        autoComplete="one-time-code"
        required
        autoFocus
      />
    </Form>
  );
}

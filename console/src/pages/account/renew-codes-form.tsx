import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { browserSession } from '../../session/browser-session.ts';

const sending = {
  title: 'Leave while they are replaced?',
  what: 'New recovery codes are being made and are shown only once, here. The old ones stop working all the same when you leave.',
  leaving: 'Leave and lose them',
};

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
    <Form label="New recovery codes" submit="Replace the codes" onSubmit={renew} sending={sending} onCancel={onBack}>
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

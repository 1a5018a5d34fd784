import { useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { AccountBesidePassword } from '../../parts/account-beside-password.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { QrPicture } from './qr-picture.tsx';
import './account.css';

const sending = {
  title: 'Leave while it is turned on?',
  what: 'The second factor is being turned on, and its recovery codes are made and shown only once, here. It is turned on all the same when you leave.',
  leaving: 'Leave and lose them',
};

interface EnrolmentProps {
  onEnrolled: (recoveryCodes: string[]) => void;
  onBack: () => void;
}

/** The password, then the secret for the app, then the app's first code. */
export function Enrolment({ onEnrolled, onBack }: EnrolmentProps) {
  const [begun, setBegun] = useState<OutputOf<'profile.mfa.enrol'> | null>(null);
  const { profile } = useMember();
  const begin = async ({ currentPassword }: FormValues) => {
    setBegun(await browserSession.call('profile.mfa.enrol', { body: { currentPassword: currentPassword! } }));
  };
  if (begun) return <ConfirmForm {...{ begun, onEnrolled, onBack }} />;
  return (
    <Form label="Set up a second factor" submit="Continue" onSubmit={begin} onCancel={onBack}>
      <AccountBesidePassword email={profile.email} />
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        required
        autoFocus
      />
    </Form>
  );
}

interface ConfirmFormProps extends EnrolmentProps {
  begun: OutputOf<'profile.mfa.enrol'>;
}

function ConfirmForm({ begun, onEnrolled, onBack }: ConfirmFormProps) {
  const confirm = async ({ code }: FormValues) => {
    const { recoveryCodes } = await browserSession.call('profile.mfa.confirm', { body: { code: code!.trim() } });
    onEnrolled(recoveryCodes);
  };
  return (
    <Form label="Confirm the second factor" submit="Turn on" onSubmit={confirm} sending={sending} onCancel={onBack}>
      <div className="enrolment">
        <QrPicture text={begun.otpauthUrl} label="QR code for the authenticator app" />
        <div className="stack">
          <p>Scan the code with your authenticator app, or type the secret into it.</p>
          <Copyable label="Secret" value={begun.secret} isGrouped />
          <p className="hint">
            The app is on this device? <a href={begun.otpauthUrl}>Open it directly</a>.
          </p>
        </div>
      </div>
      <Field
        label="Code"
        name="code"
        hint="The six digits that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
      />
    </Form>
  );
}

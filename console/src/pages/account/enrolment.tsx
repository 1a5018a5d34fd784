import { useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { QrPicture } from './qr-picture.tsx';
import './account.css';

interface EnrolmentProps {
  onEnrolled: (recoveryCodes: string[]) => void;
  onBack: () => void;
}

/** The password, then the secret for the app, then the app's first code. */
export function Enrolment({ onEnrolled, onBack }: EnrolmentProps) {
  const [begun, setBegun] = useState<OutputOf<'profile.mfa.enrol'> | null>(null);
  const begin = async ({ currentPassword }: FormValues) => {
    setBegun(await browserSession.call('profile.mfa.enrol', { body: { currentPassword: currentPassword! } }));
  };
  const cancel = <Button onClick={onBack}>Cancel</Button>;
  if (begun) return <ConfirmForm begun={begun} onEnrolled={onEnrolled} cancel={cancel} />;
  return (
    <Form label="Set up a second factor" submit="Continue" onSubmit={begin} actions={cancel}>
      <Field
        label="Current password"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
      />
    </Form>
  );
}

interface ConfirmFormProps {
  begun: OutputOf<'profile.mfa.enrol'>;
  onEnrolled: (recoveryCodes: string[]) => void;
  cancel: React.ReactNode;
}

function ConfirmForm({ begun, onEnrolled, cancel }: ConfirmFormProps) {
  const confirm = async ({ code }: FormValues) => {
    const { recoveryCodes } = await browserSession.call('profile.mfa.confirm', { body: { code: code!.trim() } });
    onEnrolled(recoveryCodes);
  };
  return (
    <Form label="Confirm the second factor" submit="Turn on" onSubmit={confirm} actions={cancel}>
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

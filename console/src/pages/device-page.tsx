import { useState } from 'react';
import type { OutputOf } from '../lib/api-types.ts';
import { Link } from '../lib/router.tsx';
import { useAction } from '../lib/use-action.ts';
import { useCall } from '../lib/use-call.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Field } from '../parts/field.tsx';
import { Form, type FormValues } from '../parts/form.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { Time } from '../parts/time.tsx';
import { browserSession } from '../session/browser-session.ts';
import { Name } from '../parts/name.tsx';

interface DeviceRequest {
  userCode: string;
  details: OutputOf<'auth.device.lookup'>;
}

type Step = { name: 'code' } | { name: 'decision'; request: DeviceRequest } | { name: 'done'; isApproved: boolean };

/** Approves a device sign-in (RFC 8628): the code is typed, the asker is shown, and only then decided. */
export function DevicePage() {
  const [step, setStep] = useState<Step>({ name: 'code' });
  if (step.name === 'done') return <Decided isApproved={step.isApproved} />;
  if (step.name === 'code') return <CodeForm onFound={(request) => setStep({ name: 'decision', request })} />;
  return (
    <Decision
      request={step.request}
      onDecided={(isApproved) => setStep({ name: 'done', isApproved })}
      onBack={() => setStep({ name: 'code' })}
    />
  );
}

function CodeForm({ onFound }: { onFound: (request: DeviceRequest) => void }) {
  const lookUp = async (values: FormValues) => {
    const userCode = values['userCode']!.trim();
    onFound({ userCode, details: await browserSession.call('auth.device.lookup', { body: { userCode } }) });
  };
  return (
    <NarrowPage title="Connect a device" about="A terminal or another program asks to be signed in as you.">
      <Form label="Connect a device" submit="Continue" onSubmit={lookUp}>
        <Field
          label="Code shown on the device"
          name="userCode"
          className="mono code"
          hint={codeHint()}
          placeholder="XXXX-XXXX"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={32}
          required
          autoFocus
        />
      </Form>
    </NarrowPage>
  );
}

/** A link with the code in it may come from anybody; typing proves that the person sees the device. */
function codeHint(): string {
  const isInAddress = new URLSearchParams(location.search).has('user_code');
  return isInAddress
    ? 'The link carries a code. Type the one your own device shows, so that nobody else’s device gets in.'
    : 'Type it exactly as your own device shows it.';
}

interface DecisionProps {
  request: DeviceRequest;
  onDecided: (isApproved: boolean) => void;
  onBack: () => void;
}

function Decision({ request: { userCode, details }, onDecided, onBack }: DecisionProps) {
  const profile = useCall('auth.profile', {});
  const { run, isBusy, error } = useAction(async (approve: boolean) => {
    await browserSession.call('auth.device.decide', { body: { userCode, approve } });
    onDecided(approve);
  });
  return (
    <NarrowPage title="Let this device in?" about="It will be able to do everything you can, until you sign it out.">
      <dl className="facts">
        <dt>Code</dt>
        <dd className="mono">{showCode(userCode)}</dd>
        <dt>Signs in as</dt>
        <dd className="break">
          <Name of={profile.data?.email ?? '…'} />
        </dd>
        <dt>Program</dt>
        <dd>
          <Name of={details.client} />
        </dd>
        {details.userAgent && (
          <>
            <dt>Says it is</dt>
            <dd className="break">
              <Name of={details.userAgent} />
            </dd>
          </>
        )}
        <dt>Address</dt>
        <dd>{details.address ?? 'unknown'}</dd>
        <dt>Asked</dt>
        <dd>
          <Time at={details.requested_at} />
        </dd>
      </dl>
      <p className="hint">Approve only if you started this yourself, a moment ago.</p>
      <ErrorNotice error={error ?? (profile.data ? null : profile.error)} />
      <div className="actions">
        <Button look="primary" isBusy={isBusy} disabled={!profile.data} onClick={() => void run(true)}>
          Approve
        </Button>
        <Button look="danger" isBusy={isBusy} onClick={() => void run(false)}>
          Refuse
        </Button>
        <Button look="quiet" onClick={onBack}>
          Another code
        </Button>
      </div>
    </NarrowPage>
  );
}

/** As the device shows it, however it was typed. */
function showCode(typed: string): string {
  const letters = typed.replaceAll(/[^a-z0-9]/gi, '').toUpperCase();
  return letters.replace(/^(.{4})(?=.)/, '$1-');
}

function Decided({ isApproved }: { isApproved: boolean }) {
  return (
    <NarrowPage
      title={isApproved ? 'The device is connected' : 'The device was refused'}
      about={isApproved ? 'You can go back to it; it signs in within a few seconds.' : 'Nothing was signed in.'}
    >
      <p>
        <Link href="/account">Connected devices</Link>
      </p>
    </NarrowPage>
  );
}

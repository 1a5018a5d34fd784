import { useState } from 'react';
import { type ReturningFocus, useReturningFocus } from '../../lib/use-returning-focus.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Section } from '../../parts/section.tsx';
import { useMember } from '../../shell/member-context.ts';
import { DisableForm } from './disable-form.tsx';
import { Enrolment } from './enrolment.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RenewCodesForm } from './renew-codes-form.tsx';

type Step = 'rest' | 'enrol' | 'renew' | 'disable';

const ABOUT = 'A code from an authenticator app, asked for besides the password.';

export function SecondFactorSection() {
  const { profile, reloadProfile } = useMember();
  const [step, setStep] = useState<Step>('rest');
  const [codes, setCodes] = useState<string[] | null>(null);
  const main = useReturningFocus();
  const turnOff = useReturningFocus();
  const show = (made: string[]) => {
    setCodes(made);
    reloadProfile();
  };
  const rest = ({ giveBack }: ReturningFocus) => {
    giveBack();
    setStep('rest');
    setCodes(null);
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={() => rest(main)} />;
  const disabled = () => {
    rest(main);
    reloadProfile();
  };
  return (
    <Section title="Second factor" about={ABOUT}>
      {step === 'enrol' ? (
        <Enrolment onEnrolled={show} onBack={() => rest(main)} />
      ) : step === 'renew' ? (
        <RenewCodesForm onRenewed={show} onBack={() => rest(main)} />
      ) : step === 'disable' ? (
        <DisableForm onDisabled={disabled} onBack={() => rest(turnOff)} />
      ) : (
        <AtRest isEnabled={profile.mfa_enabled} onStep={setStep} mainRef={main.ref} turnOffRef={turnOff.ref} />
      )}
    </Section>
  );
}

interface AtRestProps {
  isEnabled: boolean;
  onStep: (step: Step) => void;
  mainRef: ReturningFocus['ref'];
  turnOffRef: ReturningFocus['ref'];
}

function AtRest({ isEnabled, onStep, mainRef, turnOffRef }: AtRestProps) {
  return (
    <div className="actions">
      {/* One button, which keeps the focus when it becomes known that there is a second factor now, or none any more. */}
      <Button
        ref={mainRef}
        look={isEnabled ? 'plain' : 'primary'}
        onClick={() => onStep(isEnabled ? 'renew' : 'enrol')}
      >
        {isEnabled ? 'New recovery codes' : 'Set up'}
      </Button>
      {isEnabled && (
        <Button ref={turnOffRef} look="danger" onClick={() => onStep('disable')}>
          Turn off
        </Button>
      )}
      <Badge tone={isEnabled ? 'good' : 'neutral'}>{isEnabled ? 'on' : 'off'}</Badge>
    </div>
  );
}

import { useState } from 'react';
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
  const finish = () => {
    setStep('rest');
    setCodes(null);
    reloadProfile();
  };
  const back = () => setStep('rest');
  return (
    <Section title="Second factor" about={ABOUT}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={finish} />
      ) : step === 'enrol' ? (
        <Enrolment onEnrolled={setCodes} onBack={back} />
      ) : step === 'renew' ? (
        <RenewCodesForm onRenewed={setCodes} onBack={back} />
      ) : step === 'disable' ? (
        <DisableForm onDisabled={finish} onBack={back} />
      ) : (
        <AtRest isEnabled={profile.mfa_enabled} onStep={setStep} />
      )}
    </Section>
  );
}

function AtRest({ isEnabled, onStep }: { isEnabled: boolean; onStep: (step: Step) => void }) {
  return (
    <div className="stack">
      <p>
        <Badge tone={isEnabled ? 'good' : 'neutral'}>{isEnabled ? 'on' : 'off'}</Badge>
      </p>
      <div className="actions">
        {isEnabled ? (
          <>
            <Button onClick={() => onStep('renew')}>New recovery codes</Button>
            <Button look="danger" onClick={() => onStep('disable')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={() => onStep('enrol')}>
            Set up
          </Button>
        )}
      </div>
    </div>
  );
}

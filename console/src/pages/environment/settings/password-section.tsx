import { useState } from 'react';
import { ConfirmButton } from '../../../parts/confirm-button.tsx';
import { Form, type FormValues } from '../../../parts/form.tsx';
import { PasswordField } from '../../../parts/password-field.tsx';
import { Section } from '../../../parts/section.tsx';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';

const GOOD_LENGTH = 8;

export function PasswordSection({ environment, reload }: TabProps) {
  const targetOrganisationId = useMember().organisation.id;
  const isOn = environment.password_protected;
  const call = async (change: { enabled: boolean; password?: string }) => {
    const body = { targetOrganisationId, environmentId: environment.id, ...change };
    await browserSession.call('environments.password', { body });
    reload();
  };
  const [typed, setTyped] = useState('');
  const protect = async ({ password }: FormValues) => {
    await call({ enabled: true, password: password! });
    setTyped('');
  };
  return (
    <Section
      title="Password"
      about={
        isOn
          ? 'Whoever opens the address is asked for a password. A new one shuts out everybody who came in with the old one.'
          : 'Anybody can open the address. With a password, whoever opens it is asked for that first.'
      }
    >
      <Form
        label="Password"
        submit={isOn ? 'Change password' : 'Protect'}
        submitLook="plain"
        onSubmit={protect}
        done="Saved. It takes effect at once."
        unsaved={typed !== '' && 'The password that you typed is not saved.'}
        isResetting
        actions={
          isOn && (
            <ConfirmButton
              action="Remove"
              subject="the password"
              question="Remove the password?"
              consequence="Anybody can open the address again, at once."
              onConfirm={() => call({ enabled: false })}
            />
          )
        }
      >
        <PasswordField
          label={isOn ? 'New password' : 'Password'}
          name="password"
          autoComplete="new-password"
          longest={256}
          onChange={(event) => setTyped(event.target.value)}
          hint={
            typed !== '' && typed.length < GOOD_LENGTH
              ? `So short a one is quickly guessed. It is taken, but ${GOOD_LENGTH} characters or more are better.`
              : `Any is taken. ${GOOD_LENGTH} characters or more are harder to guess.`
          }
          required
        />
      </Form>
    </Section>
  );
}

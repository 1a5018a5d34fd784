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
          ? 'Visitors are asked for a password. A new password signs out everyone who used the old one.'
          : 'Anyone can open the address. Set a password to restrict it.'
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
              consequence="Anyone can open the address again, immediately."
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
              ? `A short password is easy to guess. You can use it, but ${GOOD_LENGTH} characters or more are better.`
              : `Any length works. ${GOOD_LENGTH} characters or more are harder to guess.`
          }
          required
        />
      </Form>
    </Section>
  );
}

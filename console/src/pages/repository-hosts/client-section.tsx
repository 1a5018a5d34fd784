import { type ReactNode, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { Section } from '../../parts/section.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { hostNameOf, type HostSetup, HostStanding } from './host-standing.tsx';

type Provider = 'provider2' | 'provider3';

interface ClientSectionProps {
  setupToken: string;
  provider: Provider;
  host: HostSetup;
  onSaved: () => void;
}

const about: Record<Provider, { name: string; idLabel: string; secretLabel: string; what: ReactNode }> = {
  provider2: {
    name: 'GitLab',
    idLabel: 'Application ID',
    secretLabel: 'Secret',
    what: (
      <>
        Add an application there (Preferences, Applications; or a group’s or the whole instance’s settings) that is{' '}
        <strong>confidential</strong>, with the scope <code>api</code> and this redirect URI:
      </>
    ),
  },
  provider3: {
    name: 'Bitbucket',
    idLabel: 'Key',
    secretLabel: 'Secret',
    what: (
      <>
        Add an OAuth consumer there (Workspace settings, OAuth consumers), a <strong>private consumer</strong> with the
        permissions Account: read, Repositories: read, Webhooks: read and write, and this callback URL:
      </>
    ),
  },
};

/** The others know a client: what they give is entered here. */
export function ClientSection({ setupToken, provider, host, onSaved }: ClientSectionProps) {
  const [isOpen, setOpen] = useState(false);
  const save = async (values: FormValues) => {
    await browserSession.call('vcs-setup.save', {
      body: {
        setupToken,
        provider,
        clientId: values['clientId']!.trim(),
        clientSecret: values['clientSecret']!.trim(),
      },
    });
    setOpen(false);
    onSaved();
  };
  const { name, what, idLabel, secretLabel } = about[provider];
  const isAsking = host.source !== 'file' && (isOpen || !host.configured);
  return (
    <Section title={`${name} at ${hostNameOf(host)}`}>
      <HostStanding host={host} />
      {isAsking && (
        <>
          <p className="about">{what}</p>
          <Copyable label="Callback URL" value={host.callbackUrl} />
          <Form label={`Set up ${name}`} submit="Save" onSubmit={save} isResetting>
            <p className="about">Then enter what it shows:</p>
            <div className="columns">
              <Field
                label={idLabel}
                name="clientId"
                className="mono"
                autoComplete="off"
                spellCheck={false}
                maxLength={200}
                required
              />
              <Field
                label={secretLabel}
                name="clientSecret"
                type="password"
                className="mono"
                autoComplete="off"
                maxLength={500}
                required
              />
            </div>
          </Form>
        </>
      )}
      {!isAsking && host.source !== 'file' && (
        <div className="actions">
          <Button onClick={() => setOpen(true)}>Change</Button>
        </div>
      )}
    </Section>
  );
}

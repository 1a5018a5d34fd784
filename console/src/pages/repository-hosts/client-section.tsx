import { type ReactNode, useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
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
  const [saved, setSaved] = useState<OutputOf<'vcs-setup.save'> | null>(null);
  const save = async (values: FormValues) => {
    const answer = await browserSession.call('vcs-setup.save', {
      body: {
        setupToken,
        provider,
        clientId: values['clientId']!.trim(),
        clientSecret: values['clientSecret']!.trim(),
      },
    });
    setSaved(answer);
    setOpen(false);
    onSaved();
  };
  const { name, what, idLabel, secretLabel } = about[provider];
  const open = () => {
    setSaved(null);
    setOpen(true);
  };
  const cancel = host.configured && <Button onClick={() => setOpen(false)}>Cancel</Button>;
  const isAsking = host.source !== 'file' && (isOpen || !host.configured);
  return (
    <Section title={`${name} at ${hostNameOf(host)}`}>
      <HostStanding
        host={host}
        known={host.clientId && <KnownAs clientId={host.clientId} />}
        news={saved && <Finding host={host} saved={saved} />}
      />
      {isAsking && (
        <>
          <p className="about">{what}</p>
          <Copyable label="Callback URL" value={host.callbackUrl} />
          <Form label={`Set up ${name}`} submit="Save" onSubmit={save} isResetting actions={cancel}>
            <p className="about">Then enter what it shows:</p>
            <div className="columns">
              <Field
                label={idLabel}
                name="clientId"
                className="mono"
                autoComplete="off"
                spellCheck={false}
                longest={200}
                required
              />
              <Field
                label={secretLabel}
                name="clientSecret"
                type="password"
                className="mono"
                autoComplete="off"
                longest={500}
                required
              />
            </div>
          </Form>
        </>
      )}
      {!isAsking && host.source !== 'file' && (
        <div className="actions">
          <Button onClick={open}>Change</Button>
        </div>
      )}
    </Section>
  );
}

function KnownAs({ clientId }: { clientId: string }) {
  return (
    <>
      as <code>{clientId}</code>
    </>
  );
}

/** What the host said of what was just saved. */
function Finding({ host, saved: { known, found } }: { host: HostSetup; saved: OutputOf<'vcs-setup.save'> }) {
  if (known) {
    return (
      <p className="notice notice-good" role="status">
        Saved. {hostNameOf(host)} {found}.
      </p>
    );
  }
  return (
    <p className="notice notice-error" role="alert">
      Saved, but {hostNameOf(host)} has not confirmed it: {found} Look at what was entered; this page asks the host
      again when it is loaded.
    </p>
  );
}

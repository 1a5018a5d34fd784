import { type FormEvent, useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { Field } from '../../parts/field.tsx';
import { Section } from '../../parts/section.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { hostNameOf, HostStanding } from './host-standing.tsx';
import { addressOfManifest } from './manifest-journey.ts';

interface AppSectionProps {
  setupToken: string;
  host: OutputOf<'vcs-setup.show'>['provider1'];
}

/** The first host makes the app of a manifest that the browser posts to it. */
export function AppSection({ setupToken, host }: AppSectionProps) {
  const [isOpen, setOpen] = useState(false);
  const known = (
    <>
      as the app <strong>{host.slug}</strong>
    </>
  );
  return (
    <Section title={`GitHub at ${hostNameOf(host)}`}>
      <HostStanding host={host} known={known} />
      {host.source !== 'file' &&
        (isOpen || !host.configured ? (
          <ManifestForm setupToken={setupToken} host={host} onCancel={() => setOpen(false)} />
        ) : (
          <div className="actions">
            <Button onClick={() => setOpen(true)}>Create another app</Button>
          </div>
        ))}
    </Section>
  );
}

/** Sent by the browser itself, so that the host answers with its own page. */
function ManifestForm({ setupToken, host, onCancel }: AppSectionProps & { onCancel: () => void }) {
  const [account, setAccount] = useState('');
  const { run, isBusy, error } = useAction(async (form: HTMLFormElement) => {
    const { state } = await browserSession.call('vcs-setup.begin', { body: { setupToken } });
    form.action = addressOfManifest({ ...host, account: account.trim(), state });
    form.submit();
  });
  const begin = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run(event.currentTarget);
  };
  return (
    <div className="stack">
      <p className="about">
        {host.configured
          ? 'The new app takes the place of the one there is. People must install it anew; what the old one reached is out of reach.'
          : `${hostNameOf(host)} shows what the app may do and asks for a name, then sends you back here. Nothing has to be copied. Be signed in there first.`}
      </p>
      <div className="form">
        <Field
          label="Organisation that shall own it"
          name="account"
          hint="As in its address there. Empty: your own account."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          value={account}
          onChange={(event) => setAccount(event.target.value)}
        />
      </div>
      {/* Holds nothing but what the host expects. */}
      <form aria-label="Create the app" method="post" onSubmit={begin}>
        <input type="hidden" name="manifest" value={host.manifest} />
        <ErrorNotice error={error} />
        <div className="actions">
          <Button type="submit" isBusy={isBusy} look={host.configured ? 'danger' : 'primary'}>
            Create the app
          </Button>
          {host.configured && <Button onClick={onCancel}>Cancel</Button>}
        </div>
      </form>
    </div>
  );
}

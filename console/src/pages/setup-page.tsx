import { useState } from 'react';
import { hasCode } from '../lib/has-code.ts';
import { linkToken } from '../lib/link-token.ts';
import { navigate, useHash } from '../lib/router.tsx';
import { useCall } from '../lib/use-call.ts';
import { Field } from '../parts/field.tsx';
import { Form, type FormValues } from '../parts/form.tsx';
import { Waiting } from '../parts/loading.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { NewPasswordField } from '../parts/new-password-field.tsx';
import { WayOn } from '../parts/way-on.tsx';
import { browserSession } from '../session/browser-session.ts';
import { useSession } from '../session/use-session.ts';

/** The first run: whoever holds the one-time link becomes the first owner. */
export function SetupPage() {
  const setupToken = linkToken(useHash());
  const { status } = useSession();
  // Whoever was signed in when they came has an account, so the first one is there.
  const [hadAccount] = useState(status === 'signed-in');
  if (hadAccount) return <AlreadySetUp />;
  if (!setupToken) return <MissingLink />;
  return <CheckedLink key={setupToken} setupToken={setupToken} />;
}

/** Nobody fills in a form for a link that is spent. Where that cannot be told, the form will. */
function CheckedLink({ setupToken }: { setupToken: string }) {
  const [isRefused, setRefused] = useState(false);
  const { data, error } = useCall('auth.setup.lookup', { body: { setupToken } });
  if (isRefused || (data && !data.usable)) return <SpentLink />;
  if (data || error) return <OwnerForm setupToken={setupToken} onRefused={() => setRefused(true)} />;
  return (
    <NarrowPage title="Set up Lilac">
      <Waiting />
    </NarrowPage>
  );
}

interface OwnerFormProps {
  setupToken: string;
  onRefused: () => void;
}

function OwnerForm({ setupToken, onRefused }: OwnerFormProps) {
  const create = async (values: FormValues) => {
    try {
      await browserSession.adopt(await createOwner(setupToken, values));
      navigate('/');
    } catch (error) {
      if (hasCode(error, 'CA002', 'CF001')) onRefused();
      else throw error;
    }
  };
  return (
    <NarrowPage
      title="Welcome to Lilac"
      about="Create the first account. It owns the organisation and everything in it."
    >
      <Form label="Create the first account" submit="Create account" onSubmit={create}>
        <Field label="Your name" name="firstName" autoComplete="given-name" maxLength={100} required autoFocus />
        <Field label="E-mail" name="email" type="email" autoComplete="username" required />
        <NewPasswordField label="Password" name="password" />
        <Field
          label="Organisation"
          name="organisationName"
          hint="A company, a team or just you. It can be renamed."
          autoComplete="organization"
          maxLength={100}
          required
        />
      </Form>
    </NarrowPage>
  );
}

/** Answers the access token. */
async function createOwner(setupToken: string, values: FormValues): Promise<string> {
  const { token } = await browserSession.call('auth.setup', {
    body: {
      setupToken,
      email: values['email']!.trim(),
      password: values['password']!,
      firstName: values['firstName']!,
      organisationName: values['organisationName']!,
    },
  });
  return token;
}

function AlreadySetUp() {
  return (
    <NarrowPage
      title="Lilac is set up already"
      about="The set-up link works once, for the first account. You are signed in; others come by an invitation."
    >
      <WayOn />
    </NarrowPage>
  );
}

function MissingLink() {
  return (
    <NarrowPage
      title="The link is incomplete"
      about="Copy the whole set-up link from the terminal; the part after # belongs to it."
    >
      <FreshLink />
      <WayOn />
    </NarrowPage>
  );
}

function SpentLink() {
  return (
    <NarrowPage
      title="This set-up link cannot be used"
      about="It was used before, or a newer one has replaced it. No account was created."
    >
      <FreshLink />
      <WayOn />
    </NarrowPage>
  );
}

function FreshLink() {
  return (
    <p className="about">
      Until the first account exists, <code>npm start</code> prints a fresh link on each start. Afterwards sign in, or
      ask an owner for an invitation.
    </p>
  );
}

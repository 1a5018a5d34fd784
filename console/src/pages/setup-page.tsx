import { linkToken } from '../lib/link-token.ts';
import { Link, navigate } from '../lib/router.tsx';
import { Field } from '../parts/field.tsx';
import { Form, type FormValues } from '../parts/form.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { NewPasswordField } from '../parts/new-password-field.tsx';
import { browserSession } from '../session/browser-session.ts';

/** The first run: whoever holds the one-time link becomes the first owner. */
export function SetupPage() {
  const setupToken = linkToken(location.hash);
  return setupToken ? <OwnerForm setupToken={setupToken} /> : <MissingLink />;
}

function OwnerForm({ setupToken }: { setupToken: string }) {
  const create = async (values: FormValues) => {
    const { token } = await browserSession.call('auth.setup', {
      body: {
        setupToken,
        email: values['email']!.trim(),
        password: values['password']!,
        firstName: values['firstName']!,
        organisationName: values['organisationName']!,
      },
    });
    browserSession.adopt(token);
    navigate('/');
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

function MissingLink() {
  return (
    <NarrowPage
      title="The link is incomplete"
      about={
        <>
          Copy the whole set-up link that <code>npm start</code> printed in the terminal; the part after # belongs to
          it.
        </>
      }
    >
      <p>
        <Link href="/">Sign in instead</Link>
      </p>
    </NarrowPage>
  );
}

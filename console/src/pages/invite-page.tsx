import type { Role } from '@lilac/contract/permissions';
import type { OutputOf } from '../lib/api-types.ts';
import { hasCode } from '../lib/has-code.ts';
import { linkToken } from '../lib/link-token.ts';
import { Link, navigate, useHash } from '../lib/router.tsx';
import { useAction } from '../lib/use-action.ts';
import { useCall } from '../lib/use-call.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Field } from '../parts/field.tsx';
import { Form, type FormValues } from '../parts/form.tsx';
import { Loading } from '../parts/loading.tsx';
import { NarrowPage } from '../parts/narrow-page.tsx';
import { AccountBesidePassword } from '../parts/account-beside-password.tsx';
import { NewPasswordField } from '../parts/new-password-field.tsx';
import { SignInForm } from '../parts/sign-in-form.tsx';
import { WayOn } from '../parts/way-on.tsx';
import { browserSession } from '../session/browser-session.ts';
import { useSession } from '../session/use-session.ts';
import { chooseOrganisation } from '../shell/organisation-choice.ts';
import { Name } from '../parts/name.tsx';

type Invitation = OutputOf<'organisations.invitations.lookup'>;

interface StepProps {
  invitationToken: string;
  invitation: Invitation;
}

const mayDo: Record<Role, string> = {
  user: 'you see everything that the organisation runs, secrets and addresses of databases too, and change nothing here.',
  admin: 'you deploy, change and delete what the organisation runs.',
  owner: 'you deploy, change and delete what the organisation runs, and decide who belongs to it.',
};

/** For one person only: they register, or sign in to the account they have, and join. */
export function InvitePage() {
  const invitationToken = linkToken(useHash());
  if (!invitationToken) {
    return (
      <NarrowPage title="The link is incomplete" about="Ask for the whole link; the part after # belongs to it.">
        <WayOn />
      </NarrowPage>
    );
  }
  return <InvitationCard key={invitationToken} invitationToken={invitationToken} />;
}

function InvitationCard({ invitationToken }: { invitationToken: string }) {
  const invitation = useCall('organisations.invitations.lookup', { body: { invitationToken } });
  if (hasCode(invitation.error, 'NF001')) return <SpentInvitation />;
  return (
    <NarrowPage title={invitation.data ? 'You are invited' : 'Invitation'}>
      <Loading of={invitation}>
        {(data) => (
          <>
            <p className="about">
              Join{' '}
              <strong>
                <Name of={data.organisation} />
              </strong>{' '}
              as <Name of={data.email} />, with the role <strong>{data.role}</strong>: {mayDo[data.role]}
            </p>
            <NextStep invitationToken={invitationToken} invitation={data} />
          </>
        )}
      </Loading>
    </NarrowPage>
  );
}

function SpentInvitation() {
  return (
    <NarrowPage
      title="This invitation cannot be used"
      about="It has expired, or was used or withdrawn. If it was you who used it, sign in; otherwise ask an owner of the organisation for a new one."
    >
      <WayOn />
    </NarrowPage>
  );
}

function NextStep({ invitationToken, invitation }: StepProps) {
  const { status } = useSession();
  if (status === 'signed-in') {
    return <AcceptStep invitationToken={invitationToken} invitation={invitation} />;
  }
  if (invitation.hasAccount) return <SignInForm email={invitation.email} />;
  return <RegisterForm invitationToken={invitationToken} email={invitation.email} />;
}

function AcceptStep({ invitationToken, invitation }: StepProps) {
  const profile = useCall('auth.profile', {});
  const accept = async () => {
    const { id } = await browserSession.call('organisations.invitations.accept', { body: { invitationToken } });
    chooseOrganisation(id);
    navigate('/');
  };
  return (
    <Loading of={profile}>
      {({ email }) =>
        email.toLowerCase() === invitation.email.toLowerCase() ? (
          <Form label="Join" submit={`Join ${invitation.organisation}`} onSubmit={accept} />
        ) : (
          <OtherAccount email={email} />
        )
      }
    </Loading>
  );
}

function OtherAccount({ email }: { email: string }) {
  const signOut = useAction(() => browserSession.signOut());
  return (
    <div className="stack">
      <ErrorNotice error={signOut.error} />
      <p className="notice" role="status">
        You are signed in as <Name of={email} />, and the invitation is for somebody else. Sign out to go on.
      </p>
      <div className="actions">
        <Button look="primary" isBusy={signOut.isBusy} onClick={() => void signOut.run()}>
          Sign out
        </Button>
        <Link className="button button-plain" href="/">
          Not now
        </Link>
      </div>
    </div>
  );
}

function RegisterForm({ invitationToken, email }: { invitationToken: string; email: string }) {
  const register = async (values: FormValues) => {
    const { token } = await browserSession.call('auth.register', {
      body: { invitationToken, firstName: values['firstName']!, password: values['password']! },
    });
    await browserSession.adopt(token, '/');
    navigate('/');
  };
  return (
    <Form label="Create your account" submit="Create account" onSubmit={register}>
      <Field label="Your name" name="firstName" autoComplete="given-name" maxLength={100} required autoFocus />
      <AccountBesidePassword email={email} />
      <NewPasswordField label="Password" name="password" />
    </Form>
  );
}

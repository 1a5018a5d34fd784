import { roles, type Role } from '@lilac/contract/permissions';
import { useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { useCall } from '../../lib/use-call.ts';
import { useReturningFocus } from '../../lib/use-returning-focus.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useIsOwner, useMember } from '../../shell/member-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Field, SelectField } from '../../parts/field.tsx';
import { Form, type FormValues } from '../../parts/form.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Time } from '../../parts/time.tsx';
import { Name } from '../../parts/name.tsx';

type Invitation = OutputOf<'organisations.invitations'>[number];
type SentInvitation = OutputOf<'organisations.invite'>;

const sending = {
  title: 'Leave while the invitation is made?',
  what: 'The link of the invitation is being made and is shown only once, here. It is made all the same when you leave.',
  leaving: 'Leave and lose it',
};

/** Inviting somebody, and the invitations that nobody has answered yet. */
export function InvitationsSection() {
  const { organisation } = useMember();
  const isOwner = useIsOwner();
  const invitations = useCall('organisations.invitations', { body: { targetOrganisationId: organisation.id } });
  return (
    <>
      {isOwner && <InviteSection onInvited={invitations.reload} />}
      <Section title="Open invitations">
        <Loading of={invitations}>
          {(list) => <InvitationList invitations={list} onChanged={invitations.reload} />}
        </Loading>
      </Section>
    </>
  );
}

function InviteSection({ onInvited }: { onInvited: () => void }) {
  const { organisation } = useMember();
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const focus = useReturningFocus();
  const invite = async ({ email, role }: FormValues) => {
    const body = { targetOrganisationId: organisation.id, email: email!.trim(), role: role as Role };
    setSent(await browserSession.call('organisations.invite', { body }));
    onInvited();
  };
  const close = () => {
    focus.giveBack();
    setSent(null);
  };
  if (sent) return <SentSection sent={sent} onDone={close} />;
  return (
    <Section title="Invite somebody" about="You get a link to share. It works once, for that address only.">
      <Form
        label="Invite somebody"
        submit="Create invitation"
        submitRef={focus.ref}
        onSubmit={invite}
        sending={sending}
      >
        <div className="columns">
          <Field label="E-mail" name="email" type="email" autoComplete="off" required />
          <SelectField
            label="Role"
            name="role"
            hint="Users can view everything, secrets included; admins can change it; owners also manage people."
          >
            {roles.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </SelectField>
        </div>
      </Form>
    </Section>
  );
}

function SentSection({ sent, onDone }: { sent: SentInvitation; onDone: () => void }) {
  const [isKept, setKept] = useState(false);
  return (
    <ShownOnce
      title={`Invitation for ${sent.email}`}
      about="Send this link yourself. It is shown only once."
      isKept={isKept}
      loss={{ what: 'The link was not copied, and is not shown again.', leaving: 'Leave and lose it' }}
      onDone={onDone}
    >
      <Copyable label="Link" value={sent.url} isMain onCopied={() => setKept(true)} />
    </ShownOnce>
  );
}

function InvitationList({ invitations, onChanged }: { invitations: Invitation[]; onChanged: () => void }) {
  if (invitations.length === 0) return <p className="about">None.</p>;
  return (
    <ul className="rows">
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} onChanged={onChanged} />
      ))}
    </ul>
  );
}

function InvitationRow({ invitation, onChanged }: { invitation: Invitation; onChanged: () => void }) {
  const { organisation } = useMember();
  const isOwner = useIsOwner();
  const withdraw = async () => {
    const body = { targetOrganisationId: organisation.id, invitationId: invitation.id };
    await browserSession.call('organisations.invitations.revoke', { body });
    onChanged();
  };
  return (
    <li className="row">
      <div className="row-main">
        <strong className="break">
          <Name of={invitation.email} />
        </strong>{' '}
        <Badge>{invitation.role}</Badge>
        <p className="meta">
          made <Time at={invitation.created_at} /> · ends <Time at={invitation.expires_at} />
        </p>
      </div>
      {isOwner && (
        <ConfirmButton
          action="Withdraw"
          subject={invitation.email}
          question={`Withdraw the invitation of ${invitation.email}?`}
          consequence="The link stops working. You can invite them again."
          look="danger"
          onConfirm={withdraw}
        />
      )}
    </li>
  );
}

import type { OutputOf } from '../../lib/api-types.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useIsOwner, useMember } from '../../shell/member-context.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Time } from '../../parts/time.tsx';
import { Name } from '../../parts/name.tsx';
import { RoleSelect } from './role-select.tsx';

type ListedMember = OutputOf<'organisations.members'>[number];

export interface MemberProps {
  member: ListedMember;
  onChanged: () => void;
}

export function MemberList({ members, onChanged }: { members: ListedMember[]; onChanged: () => void }) {
  const owners = members.filter(({ role }) => role === 'owner');
  return (
    <ul className="rows">
      {members.map((member) => (
        <MemberRow
          key={member.user_id}
          member={member}
          isOnlyOwner={owners.length === 1 && owners[0] === member}
          onChanged={onChanged}
        />
      ))}
    </ul>
  );
}

function MemberRow({ member, isOnlyOwner, onChanged }: MemberProps & { isOnlyOwner: boolean }) {
  const { profile } = useMember();
  const isOwner = useIsOwner();
  const isSelf = member.user_id === profile.id;
  return (
    <li className="row">
      <div className="row-main">
        <strong>
          <Name of={member.first_name || member.email} />
        </strong>{' '}
        {isSelf && <Badge tone="good">you</Badge>}
        <p className="meta break">
          <Name of={member.email} /> · joined <Time at={member.joined_at} />
        </p>
        {isSelf && isOnlyOwner && (
          <p className="hint">You are the only owner: to leave, make somebody else an owner first.</p>
        )}
      </div>
      {isOwner && !isSelf ? <RoleSelect member={member} onChanged={onChanged} /> : <Badge>{member.role}</Badge>}
      {isSelf ? !isOnlyOwner && <LeaveButton /> : isOwner && <RemoveButton member={member} onChanged={onChanged} />}
    </li>
  );
}

function RemoveButton({ member, onChanged }: MemberProps) {
  const { organisation } = useMember();
  const remove = async () => {
    const body = { targetOrganisationId: organisation.id, userId: member.user_id };
    await browserSession.call('organisations.members.remove', { body });
    onChanged();
  };
  return (
    <ConfirmButton
      action="Remove"
      subject={member.email}
      question={`Remove ${member.first_name || member.email}?`}
      consequence={`They lose access to ${organisation.name} at once. They can be invited again.`}
      look="danger"
      onConfirm={remove}
    />
  );
}

function LeaveButton() {
  const { organisation, profile, reloadProfile } = useMember();
  const leave = async () => {
    const body = { targetOrganisationId: organisation.id, userId: profile.id };
    await browserSession.call('organisations.members.remove', { body });
    reloadProfile();
  };
  return (
    <ConfirmButton
      action="Leave"
      subject={organisation.name}
      question={`Leave ${organisation.name}?`}
      consequence="You lose access at once. Only an owner can invite you again."
      look="danger"
      onConfirm={leave}
    />
  );
}

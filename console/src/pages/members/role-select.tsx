import { roles, type Role } from '@lilac/contract/permissions';
import { useRef } from 'react';
import { openByKey } from '../../lib/open-by-key.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import type { MemberProps } from './member-list.tsx';

/** Chosen is done, but for owners, who can take everything from everybody: that is asked about first. */
export function RoleSelect({ member, onChanged }: MemberProps) {
  const { organisation } = useMember();
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const { run, error, isBusy } = useAction(async (role: Role) => {
    const body = { targetOrganisationId: organisation.id, userId: member.user_id, role };
    await browserSession.call('organisations.members.update', { body });
    onChanged();
  });
  const choose = (role: Role) => {
    if (role !== 'owner') return void run(role);
    dialog.current?.showModal();
    return cancel.current?.focus();
  };
  const confirm = async () => {
    await run('owner');
    dialog.current?.close();
  };
  return (
    <div>
      <select
        aria-label={`Role of ${member.email}`}
        value={member.role}
        aria-busy={isBusy || undefined}
        onKeyDown={openByKey}
        onChange={(event) => choose(event.target.value as Role)}
      >
        {roles.map((role) => (
          <option key={role}>{role}</option>
        ))}
      </select>
      <ErrorNotice error={error} />
      <Dialog dialog={dialog} title={`Make ${member.first_name || member.email} an owner?`}>
        <p className="about">
          Owners invite and remove people, other owners too, change the plan, and delete the organisation.
        </p>
        <div className="actions">
          <Button look="danger" isBusy={isBusy} onClick={() => void confirm()}>
            Make owner
          </Button>
          <Button ref={cancel} onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

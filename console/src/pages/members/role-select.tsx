import { roles, type Role } from '@lilac/contract/permissions';
import { openByKey } from '../../lib/open-by-key.ts';
import { useAction } from '../../lib/use-action.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { QuestionDialog, useAsking } from '../../parts/question-dialog.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import type { MemberProps } from './member-list.tsx';
import { showMarks } from '../../lib/visible-name.ts';

/** Chosen is done, but for owners, who can take everything from everybody: that is asked about first. */
export function RoleSelect({ member, onChanged }: MemberProps) {
  const { organisation } = useMember();
  const asking = useAsking();
  const { run, error, isBusy } = useAction(async (role: Role) => {
    const body = { targetOrganisationId: organisation.id, userId: member.user_id, role };
    await browserSession.call('organisations.members.update', { body });
    onChanged();
  });
  const choose = (role: Role) => (role === 'owner' ? asking.open() : void run(role));
  const confirm = async () => {
    await run('owner');
    asking.close();
  };
  return (
    <div>
      <select
        aria-label={showMarks(`Role of ${member.email}`)}
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
      <QuestionDialog
        asking={asking}
        title={`Make ${member.first_name || member.email} an owner?`}
        action="Make owner"
        isBusy={isBusy}
        onConfirm={confirm}
      >
        <p className="about">
          Owners invite and remove people, other owners too, change the plan, and delete the organisation.
        </p>
      </QuestionDialog>
    </div>
  );
}

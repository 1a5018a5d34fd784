import { LeaveDialog } from '../../parts/leave-dialog.tsx';
import type { Draft } from './use-draft.ts';

const sending = {
  title: 'Leave while it is created?',
  what: 'The application is being created and continues without you. If it fails, you will see a notice, but your choices here are lost.',
  leaving: 'Leave',
};

/** What was chosen and typed for an application is not lost by a click beside it. */
export function LeaveDraft({ draft, isBegun }: { draft: Draft; isBegun: boolean }) {
  if (draft.step === 'created' || !(isBegun || draft.isTyped)) return null;
  return (
    <LeaveDialog
      title="Leave without creating it?"
      what="Your choices for the application are lost."
      leaving="Leave and lose it"
      {...(draft.step === 'sent' && sending)}
    />
  );
}

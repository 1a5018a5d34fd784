import { LeaveDialog } from '../../parts/leave-dialog.tsx';
import type { Draft } from './use-draft.ts';

/** What was chosen and typed for an application is not lost by a click beside it. */
export function LeaveDraft({ draft, isBegun }: { draft: Draft; isBegun: boolean }) {
  if (draft.isCreated || !(isBegun || draft.isTyped)) return null;
  return (
    <LeaveDialog
      title="Leave without creating it?"
      what="What you chose and typed for the application is lost."
      leaving="Leave and lose it"
    />
  );
}

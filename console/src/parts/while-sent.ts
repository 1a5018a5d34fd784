import type { LeaveQuestion } from './leave-dialog.tsx';

/** For what is neither unsaved nor saved: leaving does not stop it, and nobody could mend here what it fails by. */
export const whileSent: LeaveQuestion = {
  title: 'Leave while it is sent?',
  what: 'Your change is being made and continues without you. If it fails, you will see a notice, but what you typed here is lost.',
  leaving: 'Leave',
};

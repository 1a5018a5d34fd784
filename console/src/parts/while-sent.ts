import type { LeaveQuestion } from './leave-dialog.tsx';

/** For what is neither unsaved nor saved: leaving does not stop it, and nobody could mend here what it fails by. */
export const whileSent: LeaveQuestion = {
  title: 'Leave while it is sent?',
  what: 'What you sent is being done, and goes on without you. If it fails, a notice says so; what you typed here is gone then.',
  leaving: 'Leave',
};

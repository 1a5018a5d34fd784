import type { Session } from './session.ts';

/** A browser may keep a page that was left, and show it on the way back as it was, though its person has gone since. */
export function watchShownAgain(session: Pick<Session, 'state' | 'refresh'>): void {
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    if (session.state().status === 'over') location.reload();
    else void session.refresh();
  });
}

import { forgetPerson } from '../lib/person-memory.ts';
import { browserSession } from './browser-session.ts';

/** Who signs out, or is followed by somebody else in the same tab, leaves nothing behind. */
export function forgetPeople(): void {
  let userId: string | null = null;
  browserSession.subscribe(() => {
    const state = browserSession.state();
    const isAnother = state.status === 'signed-in' && userId !== null && state.token.userId !== userId;
    if (isAnother || state.status === 'signed-out') forgetPerson();
    if (state.status === 'signed-in') userId = state.token.userId;
  });
}

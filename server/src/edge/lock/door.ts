import type { Clock } from '../../lib/clock.ts';
import { answer, type StaticAnswer, type StaticRequest } from '../static/static-answer.ts';
import { isUnlockPath, safeNextPath } from './next-path.ts';
import { locked, passwordContent } from './password-answers.ts';
import { privateLines } from './private-lines.ts';
import { isOpenedBy, type LockedRoute } from './unlock-cookie.ts';

/** `come-in`: it is served as any other. `unlock`: this is the password's form. */
export type DoorAnswer = 'come-in' | 'unlock' | StaticAnswer;

/** What a locked address says to a request. */
export function askAtDoor(route: LockedRoute, request: StaticRequest, clock: Clock): DoorAnswer {
  const { method, target, accept, cookie } = request;
  const isUnlock = isUnlockPath(target);
  if (isUnlock && method === 'POST') return 'unlock';
  if (isOpenedBy(cookie, route, clock.now())) return isUnlock ? toTheStart : 'come-in';
  const isRead = method === 'GET' || method === 'HEAD';
  const { status, headers, body } = passwordContent(locked, accept, isRead ? safeNextPath(target) : '/');
  return answer(status, headers, body);
}

export function keepPrivate(planned: StaticAnswer): StaticAnswer {
  return { ...planned, head: privateLines(planned.head) };
}

const toTheStart = answer(303, [
  ['Location', '/'],
  ['Cache-Control', 'no-store'],
  ['Content-Length', '0'],
]);

import { newMember, type Member } from '../member.ts';

/**
 * One of deployment `dep` that was started at 0 and can be reached, in any condition; well, unless it is said
 * otherwise.
 */
export function memberOf(id: string, condition: Member['condition'] = 'up', rest: Partial<Member> = {}): Member {
  const address = { id, host: '127.0.0.1', port: 1 };
  const known = newMember({ id, deploymentId: 'dep', nowMs: 0 });
  return Object.assign(known, { address, condition, hasBeenWell: true, ...rest });
}

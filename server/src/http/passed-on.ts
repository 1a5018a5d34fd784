import type { FastifyRequest } from 'fastify';

/**
 * Says that another api passed a request on: two hosts that disagree on who answers must not send it to and fro. Edges
 * let nobody outside say so.
 */
export const PASSED_ON = 'x-lilac-passed-on';
/** The api that passed it on has counted it. One of an older version has not, and says something else. */
export const COUNTED = 'counted';

export function isPassedOn({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[PASSED_ON] !== undefined;
}

export function isCountedElsewhere({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[PASSED_ON] === COUNTED;
}

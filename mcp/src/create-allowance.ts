import type { EndpointName } from '@lilac/contract/endpoints';
import { assertAllowed } from './assert-allowed.ts';
import type { ToolCall } from './define-tool.ts';

/** Asks once for each endpoint, however often one call of a tool wants to know. */
export function createAllowance(
  call: Pick<ToolCall, 'lilac' | 'targetOrganisationId' | 'signal'>,
): ToolCall['assertAllowed'] {
  const asked = new Map<EndpointName, Promise<void>>();
  return async (endpoint) => {
    const answer = asked.get(endpoint) ?? assertAllowed(call, endpoint);
    asked.set(endpoint, answer);
    await answer;
  };
}

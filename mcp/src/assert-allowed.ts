import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import { hasCode } from '@lilac/sdk';
import type { ToolCall } from './define-tool.ts';

/** No id looks like this. */
const NOTHING = 'none';

/**
 * Nobody is to be asked for what the credential may not do anyway. What it may is known to admission alone, so that is
 * asked, with the id of nothing: whoever may do it hears that there is no such thing.
 */
export async function assertAllowed(
  { lilac, targetOrganisationId, signal }: Pick<ToolCall, 'lilac' | 'targetOrganisationId' | 'signal'>,
  endpoint: EndpointName,
): Promise<void> {
  const { field } = declarationOf(endpoint).resource!;
  const body = { targetOrganisationId, [field]: NOTHING };
  try {
    await lilac.call(endpoint, { body, signal } as never);
  } catch (error) {
    if (!hasCode(error, 'NF001', 'VA001')) throw error;
  }
}

import type { ErrorCode } from '@lilac/contract/errors';
import { ApiError, SignedOut } from '@lilac/sdk';
import { Refused } from './confirm.ts';

/** What an assistant should do next, where the message of the platform does not say it. */
const nextSteps: Partial<Record<ErrorCode, string>> = {
  CA001: 'The server was started without a credential: set LILAC_TOKEN, or sign in with "lilac login".',
  CA002: 'The person has to sign in again ("lilac login"), or to give another API key.',
  CA003: 'Leave organisationId out: an API key knows its own organisation.',
  CA004: 'Call list_organisations for the ids of the organisations that can be used.',
  CA005:
    'The credential may only read. An API key with the role "admin", or a member who is admin or owner, may do it.',
  CA006: 'An API key cannot do this: the person has to sign in with "lilac login".',
  CA007: 'Call list_organisations, then name one as organisationId.',
  NF001: 'Ids come from list_applications, get_application, list_deployments and list_databases; never make one up.',
  CF001: 'Look at the current state first, then try what fits it.',
  FF001: 'Only the operator of the platform can turn it on.',
  VA003:
    'Check the address and the branch. A private repository needs a connected host: the console has a page for it.',
  SV002: 'Wait a few seconds and try again.',
  SV003: 'Look whether the change was made before you try again.',
};

/** Whatever was thrown, in words that say what to do. */
export function explainError(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof SignedOut) return `${error.message} The person has to run "lilac login".`;
  if (error instanceof ApiError) return explainAnswer(error);
  if (isUnreachable(error)) {
    return 'The platform does not answer. Check its address (LILAC_API_URL) and whether it runs, then try again.';
  }
  return `It failed: ${error instanceof Error ? error.message : String(error)}`;
}

function explainAnswer({ message, code, errorId, retryAfterSeconds }: ApiError): string {
  const parts = [`${message} (${code})`];
  if (retryAfterSeconds !== null) parts.push(`Try again in ${retryAfterSeconds} seconds.`);
  const next = nextSteps[code as ErrorCode];
  if (next !== undefined) parts.push(next);
  if (errorId !== null) parts.push(`The operator finds it by ${errorId} ("lilac admin errors").`);
  return parts.join(' ');
}

/** As fetch says it, in Node and in browsers. */
function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|Failed to fetch|NetworkError/.test(error.message);
}

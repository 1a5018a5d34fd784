import { asOf, partial } from '@lilac/contract/response-headers';
import { formatAbsolute } from './format-time.ts';

/** What a list of a repository host says of itself, in sentences: that it is old, and whose part is missing. */
export function listLimits(headers: Headers | undefined): string[] {
  const readAt = headers?.get(asOf.name);
  const missing = headers?.get(partial.name)?.split(',').map(decodeURIComponent);
  return [
    ...(readAt ? [`The host does not answer: this is what it said at ${formatAbsolute(readAt)}.`] : []),
    ...(missing ? [`What ${missing.join(', ')} reaches is missing: the host did not give it.`] : []),
  ];
}

import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { MAX_BODY_BYTES } from '../http/body-parsers.ts';
import type { CallOptions } from './harness.ts';

/** Bodies that no handler ever sees: broken, too large, of another type. */
export function unreadableBodies({ body }: EndpointDeclaration): CallOptions[] {
  if (!body) return [];
  return [{ body: '{' }, { body: oversized() }, { body: 'a', headers: { 'content-type': 'text/plain' } }];
}

/** Right JSON of 1 MiB and one byte. */
export function oversized(): string {
  return JSON.stringify('x'.repeat(MAX_BODY_BYTES - 1));
}

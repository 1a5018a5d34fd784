/**
 * Whether a connection has the address of its other end. To be looked at where the connection is accepted: from then on
 * Node remembers the address. A connection that was reset before has none; what was sent on it can still be read, but
 * is nobody's, and could be counted against nobody.
 */
export function hasAddress({ remoteAddress }: { readonly remoteAddress?: string | undefined }): boolean {
  return remoteAddress !== undefined;
}

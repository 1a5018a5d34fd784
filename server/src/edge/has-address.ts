/**
 * Whether the other end of a connection can be named, looked at where one is accepted: from then on Node knows it for
 * good. What was sent on one that was reset meanwhile can still be read, but it is nobody's: whom would it be counted
 * against?
 */
export function hasAddress({ remoteAddress }: { readonly remoteAddress?: string | undefined }): boolean {
  return remoteAddress !== undefined;
}

/** What the platform says is lacking to keep applications apart, a sentence each; none where it says nothing. */
export function lackingIn(platform: unknown): readonly string[] {
  const { isolation } = (platform ?? {}) as { isolation?: { lacking?: unknown } };
  const lacking = isolation?.lacking;
  return Array.isArray(lacking) ? lacking.filter((sentence) => typeof sentence === 'string') : [];
}

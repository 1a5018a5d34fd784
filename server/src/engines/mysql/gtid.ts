/**
 * A position in what a primary did: `0-3155-1201` is the 1201st of domain 0, which is the only one here; nothing is
 * before the first.
 */
export function sequenceOf(position: string | null | undefined): number {
  const sequences = (position ?? '').split(',').flatMap((each) => {
    const [domain, , sequence] = each.trim().split('-').map(Number);
    return domain === 0 && sequence !== undefined ? [sequence] : [];
  });
  return Math.max(0, ...sequences);
}

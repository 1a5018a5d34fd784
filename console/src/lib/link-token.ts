/** The secret of a link that was handed over. It travels in the fragment, which browsers send to nobody. */
export function linkToken(fragment: string): string | null {
  const text = fragment.replace(/^#/, '');
  return new URLSearchParams(text).get('token') || null;
}

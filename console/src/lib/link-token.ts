/** The secret of a link that was handed over. It travels in the fragment, which browsers send to nobody. */
export function linkToken(fragment: string): string | null {
  return fragment.replace(/^#/, '') || null;
}

/** An address that somebody has changed by hand still shows a list. */
export function pageOf(text: string): number {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : 1;
}

import { letGo } from '../lib/leaving.ts';

/**
 * Another document takes the place of this one, and the browser asks nobody whether they want to leave it: who signs
 * out was asked, and who comes next has nothing here to lose.
 */
export function startAnew(to?: string): void {
  letGo();
  // To the address that is shown, with its fragment, a browser would only scroll.
  if (to === undefined) location.reload();
  else location.replace(to);
}

/** What the platform serves now: nothing, the console that runs here, or another build of it. */
export type Standing = 'silent' | 'same' | 'replaced';

interface Failure {
  standing: Standing;
  /** How often it did not come, in a row. */
  failures: number;
  /** This build was left once already: another time would be a loop. */
  hasReloaded: boolean;
}

/**
 * Whether to load the window anew for a script that did not come. Another build has other scripts. Of the same build it
 * may come the next time, but some browsers never ask again for a script that failed.
 */
export function shouldReload({ standing, failures, hasReloaded }: Failure): boolean {
  if (hasReloaded || standing === 'silent') return false;
  return standing === 'replaced' || failures > 1;
}

/** The script that the console begins with, another in every build; null where the page is not the console's. */
export function entryOf(html: string): string | null {
  return /<script [^>]*src="([^"]+)"/.exec(html)?.[1] ?? null;
}

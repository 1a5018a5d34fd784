import { joinSegments, segmentsOf } from '../../artifacts/path-pattern.ts';
import { readRequestPath, type RequestPath } from './request-path.ts';

/** Browsers follow twenty; whoever needs as many as this goes on for ever. */
const MAX_STEPS = 10;
/** Stands for the site's own host, whatever that is. */
const OWN_ORIGIN = 'http://site.invalid';

/** The path of this site that a Location means, as a browser asks for it; null when it is none. */
export function pathBehind(location: string): RequestPath | null {
  const url = URL.parse(location, OWN_ORIGIN);
  return url?.origin === OWN_ORIGIN ? readRequestPath(url.pathname + url.search) : null;
}

/** To rules, an address is the same with and without a slash at its end. */
function isSameAddress(one: RequestPath, other: RequestPath): boolean {
  return nameOf(one) === nameOf(other);
}

/**
 * Whether whoever is sent from an address to another comes back to it, or never arrives. `next` says where an address
 * of the site leads on to; null: it answers, or is none of the site. A circle further on is no reason: those in it are
 * not led round either.
 */
export function goesInCircles(
  from: RequestPath,
  first: RequestPath | null,
  next: (at: RequestPath) => RequestPath | null,
): boolean {
  const passed = new Set<string>();
  let at = first;
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    if (at === null || passed.has(nameOf(at))) return false;
    if (isSameAddress(at, from)) return true;
    passed.add(nameOf(at));
    at = next(at);
  }
  return true;
}

/** What an address is called, to rules. */
export function nameOf({ path }: RequestPath): string {
  return joinSegments(segmentsOf(path));
}

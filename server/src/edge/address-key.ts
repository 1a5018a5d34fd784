/**
 * The name by which an application is looked up: its subdomain, or, for a domain of its own, the whole host name with
 * a dot at its end, which no subdomain has. So one lookup serves both.
 */

export function keyOfDomain(hostname: string): string {
  return `${hostname}.`;
}

export function isDomainKey(key: string): boolean {
  return key.endsWith('.');
}

/** The name of which this one is one label below, with a star in that label's place; null when there is none. */
export function wildcardAbove(name: string): string | null {
  const dot = name.indexOf('.');
  return dot > 0 && dot < name.length - 1 ? `*${name.slice(dot)}` : null;
}

import { isIP } from 'node:net';
import { isShared, registeredDomainOf } from '../../lib/registered-domain.ts';

/**
 * Sources of a content security policy for everything on the site of an address, on any port. An address that has no
 * site, or whose site is everybody's, stands for itself alone.
 */
export function sameSiteSources({ protocol, hostname }: URL): string[] {
  const hasSite = isIP(hostname) === 0 && !hostname.startsWith('[') && hostname.includes('.') && !isShared(hostname);
  if (!hasSite) return [`${protocol}//${hostname}:*`];
  const site = registeredDomainOf(hostname);
  return [`${protocol}//${site}:*`, `${protocol}//*.${site}:*`];
}

import { isIP } from 'node:net';

/**
 * Sources of a content security policy for everything on the site of an address, on any port. What a site is, only a
 * list of all public suffixes tells for certain; short names below a country (`co.uk`) are what has to be known here.
 */
export function sameSiteSources({ protocol, hostname }: URL): string[] {
  const site = siteOf(hostname);
  const alone = `${protocol}//${site}:*`;
  return isIP(site) !== 0 || site.startsWith('[') ? [alone] : [alone, `${protocol}//*.${site}:*`];
}

function siteOf(hostname: string): string {
  const labels = hostname.split('.');
  if (isIP(hostname) !== 0 || labels.length <= 2) return hostname;
  const [second, top] = labels.slice(-2) as [string, string];
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join('.');
}

/** What registries of whole countries put before their own ending: `co.uk`, `com.au`, `ne.jp`. */
const SHARED_IN_COUNTRIES = new Set(
  'ac biz co com edu gen go gob gov govt info ltd me mil name ne net nom or org plc sch web'.split(' '),
);

/** Where somebody else than a registry gives out names, each to another owner. */
const SHARED = new Set(
  [
    'br.com cn.com de.com eu.com gb.net jp.net jpn.com ru.com sa.com se.net uk.com uk.net us.com us.org za.com',
    'ghe.com github.dev github.io gitlab.io bitbucket.io gitpod.io visualstudio.com',
    'azurewebsites.net cloudfront.net fly.dev herokuapp.com netlify.app ngrok.app ngrok.dev ngrok.io',
    'ngrok-free.app ngrok-free.dev onrender.com pages.dev trycloudflare.com ts.net vercel.app web.app workers.dev',
    'ddns.net duckdns.org dyndns.org myfritz.net nip.io no-ip.org sslip.io synology.me',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The domain as somebody has registered it, by which authorities count and within which one owner is at home. Without a
 * list of all registries: the last two labels, or three below what is shared in a country or by a service.
 */
export function registeredDomainOf(hostname: string): string {
  const labels = hostname.replace(/^\*\./, '').split('.');
  return labels.slice(isShared(labels.slice(-2).join('.')) ? -3 : -2).join('.');
}

/** Below it everybody is somebody else. */
export function isShared(domain: string): boolean {
  const [ending = '', before, ...rest] = domain.toLowerCase().split('.').toReversed();
  if (before === undefined) return true;
  return (
    rest.length === 0 && (SHARED.has(domain.toLowerCase()) || (ending.length === 2 && SHARED_IN_COUNTRIES.has(before)))
  );
}

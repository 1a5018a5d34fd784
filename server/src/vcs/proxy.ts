import { isInRanges } from './git/private-address.ts';

type Variables = Readonly<Record<string, string>>;

/** The proxy by which this machine reaches the address, as its variables name it; null where it goes there itself. */
export function proxyFor(hostVariables: Variables, { protocol, hostname }: URL): URL | null {
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const named = names.map((name) => hostVariables[name]).find(Boolean);
  if (!named) return null;
  const exempt = hostVariables['no_proxy'] ?? hostVariables['NO_PROXY'] ?? '';
  if (exempt.split(',').some((entry) => isExempt(entry.trim().toLowerCase(), hostname))) return null;
  // As for curl, one that names no scheme is asked by http.
  return URL.parse(named.includes('://') ? named : `http://${named}`);
}

export function isProxied(hostVariables: Variables, url: URL): boolean {
  return proxyFor(hostVariables, url) !== null;
}

/** What programs that go by curl's rules are given: they heed HTTP_PROXY in lower case only. */
export function proxyVariables(hostVariables: Variables): Record<string, string> {
  const names = ['HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];
  const kept = names.flatMap((name) => (hostVariables[name] ? [[name, hostVariables[name]] as const] : []));
  const forHttp = hostVariables['HTTP_PROXY'];
  return { ...(forHttp && { http_proxy: forHttp }), ...Object.fromEntries(kept) };
}

/**
 * By a domain and all below it, or by an address or a range of them: `example.org`, `.example.org:443`, `10.0.0.0/8`.
 */
function isExempt(entry: string, hostname: string): boolean {
  if (entry === '*' || isInRanges([unbracketed(entry)], unbracketed(hostname))) return true;
  const domain = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
  return domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`));
}

const unbracketed = (text: string): string => text.replace(/^\[(.*)\]$/, '$1');

/** Whether this machine reaches the address through a proxy, by the rules curl goes by. */
export function isProxied(hostVariables: Readonly<Record<string, string>>, { protocol, hostname }: URL): boolean {
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy'];
  if (!names.some((name) => hostVariables[name])) return false;
  const exempt = hostVariables['no_proxy'] ?? hostVariables['NO_PROXY'] ?? '';
  return !exempt.split(',').some((entry) => isExempt(entry.trim().toLowerCase(), hostname));
}

function isExempt(entry: string, hostname: string): boolean {
  if (entry === '*') return true;
  const domain = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
  return domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`));
}

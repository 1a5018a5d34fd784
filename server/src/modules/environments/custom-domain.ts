import { domainToASCII } from 'node:url';
import { invalid } from '../../lib/fault.ts';
import type { HostsConfig } from './subdomain.ts';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** As it is compared everywhere: lower case, ASCII, no trailing dot. The platform's own hosts are not to be had. */
export function readCustomDomain({ publicUrl, appsDomain }: HostsConfig, text: string): string {
  const bare = text.trim().toLowerCase().replace(/\.$/, '');
  // Node reads a host up to such a character and forgets the rest.
  const host = /[\s/\\?#@:%]/.test(bare) ? '' : domainToASCII(bare);
  const labels = host.split('.');
  const isHostName = host.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label));
  if (!isHostName || /^\d+$/.test(labels.at(-1)!)) {
    throw invalid('customDomain must be a host name such as www.example.org, without a scheme, port or path.');
  }
  if (host === publicUrl.hostname || host === appsDomain || host.endsWith(`.${appsDomain}`)) {
    throw invalid(`customDomain must be a domain of your own; ${host} belongs to this platform.`);
  }
  return host;
}

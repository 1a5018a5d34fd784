import { isIP } from 'node:net';
import type { CertificatesDeps } from './certificates-deps.ts';

/** The hosts of the platform's own that a public authority gives certificates for. */
export function platformHostnames({ publicUrl, appsDomain, domains }: CertificatesDeps['config']): string[] {
  const host = publicUrl.hostname.toLowerCase();
  return [
    ...(isPublicName(host) ? [host] : []),
    // Only DNS can prove a wildcard.
    ...(domains.dnsHook !== null && isPublicName(appsDomain) ? [`*.${appsDomain}`] : []),
  ];
}

function isPublicName(name: string): boolean {
  const isAddress = name.startsWith('[') || isIP(name) !== 0;
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  return !isAddress && !isLocal && name.includes('.');
}

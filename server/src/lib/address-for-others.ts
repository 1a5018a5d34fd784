import { networkInterfaces } from 'node:os';

/** Who listens at every address tells others the first one that leads here from outside. */
export function addressForOthers(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outer = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const found = outer.find(({ family }) => family === 'IPv4') ?? outer[0];
  return found?.address ?? '127.0.0.1';
}

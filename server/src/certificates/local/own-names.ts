import { isIP } from 'node:net';
import type { Config } from '../../config.ts';
import type { PermittedNames } from './permitted-names.ts';

/** What the names of an installation come from. */
export type NamingConfig = Pick<Config, 'publicUrl' | 'appsDomain' | 'domains'>;

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** The platform's own host: a name, or an address without brackets. */
export function platformHostOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return withoutBrackets(publicUrl.hostname);
}

/** The names and addresses at which the platform itself is reached. The first is its host. */
export function platformNamesOf(config: NamingConfig): string[] {
  const addresses = config.domains.publicAddresses ?? [];
  return Array.from(new Set([platformHostOf(config), 'localhost', '127.0.0.1', '::1', ...addresses]));
}

/** All that the installation's own authority signs for. */
export function permittedNamesOf(config: NamingConfig): PermittedNames {
  const all = new Set([...platformNamesOf(config), config.appsDomain]);
  all.delete('127.0.0.1');
  return {
    names: [...all].filter((name) => isIP(name) === 0),
    addresses: ['127.0.0.0/8', ...[...all].filter((name) => isIP(name) !== 0)],
  };
}

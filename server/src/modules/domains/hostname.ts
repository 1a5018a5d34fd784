import { randomBytes } from 'node:crypto';
import { domainToASCII, domainToUnicode } from 'node:url';
import { invalid } from '../../lib/fault.ts';
import type { OwnHostsConfig } from '../environments/subdomain.ts';

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const STAR = '*.';

/** Endings that the world's DNS does not have, or not for hosts: RFC 6761, 6762, 7686, 8375, 9476, and `internal`. */
const SPECIAL_ENDINGS = new Set([
  'alt',
  'arpa',
  'example',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
  'test',
]);

/**
 * As it is compared everywhere: lower case, ASCII, no trailing dot, and `*.` before it where all names below it are
 * meant. The platform's own hosts are not to be had.
 */
export function readHostname(config: OwnHostsConfig, field: string, text: string): string {
  const bare = text.trim().toLowerCase().replace(/\.$/, '');
  const star = bare.startsWith(STAR) ? STAR : '';
  const written = bare.slice(star.length);
  // Node reads a host up to such a character and forgets the rest.
  const base = /[\s/\\?#@:%]/.test(written) ? '' : domainToASCII(written);
  const labels = base.split('.');
  const isHostName =
    base.length + star.length <= 253 && labels.length > 1 && labels.every((label) => LABEL.test(label));
  if (!isHostName || /^\d+$/.test(labels.at(-1)!)) {
    throw invalid(
      `${field} must be a host name such as www.example.org, or *.example.org, without a scheme, port or path.`,
    );
  }
  const broken = labels.find((label) => label.startsWith('xn--') && domainToUnicode(label) === label);
  if (broken !== undefined) {
    throw invalid(
      `${field} has "${broken}", which is not valid punycode. Write the name with the letters it should have.`,
    );
  }
  const hostname = star + base;
  if (isPlatforms(config, hostname)) {
    throw invalid(`${field} must be a domain of your own; ${hostname} belongs to this platform.`);
  }
  if (isSpecialUse(base) && !isOperators(config, base)) {
    throw invalid(
      `${field} must be a domain that the whole world can reach; names that end with .${endingOf(base)} are for use within a network only.`,
    );
  }
  return hostname;
}

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** Whether no public DNS has such a name. */
export const isSpecialUse = (name: string): boolean => !name.includes('.') || SPECIAL_ENDINGS.has(endingOf(name));

/** Whoever runs the platform below such an ending has a DNS of their own for it. */
function isOperators({ publicUrl, appsDomain }: OwnHostsConfig, name: string): boolean {
  return [publicUrl.hostname, appsDomain].some((own) => endingOf(own) === endingOf(name));
}

const ownHosts = ({ publicUrl, appsDomain, databases }: OwnHostsConfig): string[] => [
  publicUrl.hostname,
  appsDomain,
  databases.host.toLowerCase().replace(/\.$/, ''),
];

function isPlatforms(config: OwnHostsConfig, hostname: string): boolean {
  const base = baseOf(hostname);
  const own = ownHosts(config);
  const isBelow = (domain: string) => base === domain || base.endsWith(`.${domain}`);
  if ([...own, 'localhost'].some(isBelow)) return true;
  return isWildcard(hostname) && own.some((host) => host.slice(host.indexOf('.') + 1) === base);
}

export const isWildcard = (hostname: string): boolean => hostname.startsWith(STAR);

/** The name itself, or the one below the star. */
export const baseOf = (hostname: string): string => (isWildcard(hostname) ? hostname.slice(STAR.length) : hostname);

/**
 * What a name is a part of, as far as that can be told without a list of all registries: its last two labels. Names
 * below `co.uk` are taken for neighbours, and asked for more proof than they need.
 */
export const domainOf = (hostname: string): string => baseOf(hostname).split('.').slice(-2).join('.');

/** Whether records of the platform's own domain may reach it, such as a wildcard. */
export function isNearPlatform(config: OwnHostsConfig, hostname: string): boolean {
  return ownHosts(config).some((own) => domainOf(own) === domainOf(hostname));
}

/** A name to look up: of a wildcard any one below it, that nobody has a record of its own for. */
export function probeNameOf(hostname: string): string {
  return isWildcard(hostname) ? `lilac-${randomBytes(6).toString('hex')}.${baseOf(hostname)}` : hostname;
}

/** Zones begin at such names, unless somebody owns a whole top-level domain. */
export const hasTwoLabels = (hostname: string): boolean => hostname.split('.').length === 2;

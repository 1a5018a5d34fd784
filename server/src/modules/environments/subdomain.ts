import { randomInt } from 'node:crypto';
import type { Config } from '../../config.ts';

/** Names become addresses here: one label of a host name, as RFC 1123 allows it. */
const MAX_LENGTH = 63;
/** An environment's own name keeps this much when both names are long. */
const ENVIRONMENT_SHARE = 28;
const SUFFIX_LENGTH = 6;
/** No vowels, so that chance spells no word; nothing that looks like something else. */
const SUFFIX_ALPHABET = 'bcdfghjkmnpqrstvwxz23456789';
/** For names without a letter or digit that ASCII could stand for. */
const NAMELESS = 'app';

/** Letters that Unicode does not take apart into an ASCII letter and a mark. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
};

/** What people, mail servers, browsers and attackers would take for the platform itself. */
const RESERVED: ReadonlySet<string> = new Set([
  'abuse',
  'account',
  'accounts',
  'admin',
  'administrator',
  'api',
  'app',
  'apps',
  'assets',
  'auth',
  'autoconfig',
  'autodiscover',
  'billing',
  'broadcasthost',
  'cdn',
  'console',
  'dashboard',
  'database',
  'databases',
  'db',
  'dns',
  'docs',
  'edge',
  'ftp',
  'git',
  'health',
  'help',
  'hostmaster',
  'imap',
  'internal',
  'isatap',
  'lilac',
  'local',
  'localdomain',
  'localhost',
  'login',
  'mail',
  'mariadb',
  'mcp',
  'mx',
  'mysql',
  'ns',
  'oauth',
  'objects',
  'pg',
  'pop',
  'pop3',
  'postgres',
  'postgresql',
  'postmaster',
  'registry',
  'root',
  'security',
  'server',
  'smtp',
  'sql',
  'sso',
  'static',
  'status',
  'support',
  'system',
  'webmail',
  'webmaster',
  'wpad',
  'www',
]);
const RESERVED_FAMILY = /^(?:db|ns|mx|www|smtp|imap)\d+$/;

/** Lower-case ASCII letters, digits and single inner hyphens: never `xn--…`, never `_…`. Never empty. */
export function slugOf(name: string): string {
  const folded = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => FOLDED[letter] ?? '-');
  return cut(trimHyphens(folded.replaceAll(/[^a-z0-9]+/g, '-')), MAX_LENGTH) || NAMELESS;
}

/** What the environment would be called if nobody else had the name. */
export function wantedSubdomain(environment: WantedOf): string {
  if (environment.isProduction) return slugOf(environment.applicationName);
  const own = cut(slugOf(environment.name), ENVIRONMENT_SHARE);
  return `${cut(environment.applicationSlug, MAX_LENGTH - 1 - own.length)}-${own}`;
}

export type WantedOf =
  | { isProduction: true; applicationName: string }
  /** The slug, not the name: where that needed a suffix, its environments need no further one. */
  | { isProduction: false; applicationSlug: string; name: string };

export type HostsConfig = Pick<Config, 'publicUrl' | 'appsDomain'>;
/** Where the platform itself is, its databases among it. */
export type OwnHostsConfig = HostsConfig & { databases: Pick<Config['databases'], 'host'> };

export function isReserved({ publicUrl, appsDomain, databases }: OwnHostsConfig, label: string): boolean {
  const name = `${label}.${appsDomain}`;
  const own = [publicUrl.hostname, databases.host.toLowerCase().replace(/\.$/, '')];
  const isPlatforms = own.some((host) => host === name || host.endsWith(`.${name}`));
  return isPlatforms || RESERVED.has(label) || RESERVED_FAMILY.test(label);
}

/** The wanted name first, unless it is reserved; then the same with a few random characters. */
export function* subdomainCandidates(config: OwnHostsConfig, wanted: string): Generator<string> {
  if (!isReserved(config, wanted)) yield wanted;
  const stem = cut(wanted, MAX_LENGTH - 1 - SUFFIX_LENGTH);
  for (let attempt = 0; attempt < 20; attempt++) yield `${stem}-${randomSuffix()}`;
}

function randomSuffix(): string {
  return Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_ALPHABET[randomInt(SUFFIX_ALPHABET.length)]).join('');
}

function cut(slug: string, maxLength: number): string {
  return trimHyphens(slug.slice(0, maxLength));
}

function trimHyphens(text: string): string {
  return text.replaceAll(/^-+|-+$/g, '');
}

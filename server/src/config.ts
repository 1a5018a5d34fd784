import { isIP } from 'node:net';
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { featureFlags, type FeatureFlag } from '@lilac/contract/endpoint';
import { gitProviders, type GitProvider } from '@lilac/contract/states';

/**
 * Every setting, as data: read once here, documented from here (docs/reference/configuration.md).
 * No other file reads the environment.
 */
export interface Setting {
  name: `LILAC_${string}`;
  default: string;
  summary: string;
}

export const settings = [
  {
    name: 'LILAC_HOME',
    default: '~/.lilac',
    summary: "The folder that holds everything of this installation: the store's data, keys, logs. Mode 0700.",
  },
  {
    name: 'LILAC_PORT',
    default: '7080',
    summary: 'The public port, owned by the edge.',
  },
  {
    name: 'LILAC_BIND',
    default: '::',
    summary: 'The address the public port is opened on; `::` is every address of the machine, IPv4 too.',
  },
  {
    name: 'LILAC_PUBLIC_URL',
    default: 'http://localhost:<LILAC_PORT>',
    summary: 'The address people reach the console and the API at. Links and cookies follow it.',
  },
  {
    name: 'LILAC_APPS_DOMAIN',
    default: 'localhost',
    summary: 'Deployed applications live at `<name>.<this domain>`.',
  },
  {
    name: 'LILAC_DATABASE_URL',
    default: '',
    summary: 'A PostgreSQL 14 or newer to use as the store. When set, no embedded one is started.',
  },
  {
    name: 'LILAC_TRUSTED_PROXIES',
    default: '',
    summary:
      'Addresses or CIDR ranges of proxies in front of the edge, separated by commas. ' +
      'Only what these say in `X-Forwarded-For` is believed.',
  },
  {
    name: 'LILAC_ALLOWED_ORIGINS',
    default: '',
    summary: 'Further origins whose pages may call the API from a browser, separated by commas.',
  },
  {
    name: 'LILAC_FEATURE_FLAGS',
    default: '',
    summary:
      'Switches for optional features, separated by commas: `data_explorer=off,provider2=on`. ' +
      'What is not named is on where the host can serve it.',
  },
  {
    name: 'LILAC_EDGE_PROCESSES',
    default: 'one per core',
    summary: 'How many edge processes share the public port.',
  },
  {
    name: 'LILAC_VCS_URL',
    default: 'https://github.com',
    summary:
      'The first repository host (`provider1`). A host that is set here or in the two settings that follow is trusted: ' +
      'it may be at a private address, and speak http://.',
  },
  {
    name: 'LILAC_PROVIDER2_URL',
    default: 'https://gitlab.com',
    summary: 'The second repository host.',
  },
  {
    name: 'LILAC_PROVIDER3_URL',
    default: 'https://bitbucket.org',
    summary: 'The third repository host.',
  },
  {
    name: 'LILAC_VCS_PRIVATE_ADDRESSES',
    default: '',
    summary:
      'Where a repository host is left at its default, its name may not lead to a private or loopback address, unless ' +
      'that is in one of these CIDR ranges, separated by commas: `10.0.0.0/8`.',
  },
  {
    name: 'LILAC_UPLOAD_MAX_BYTES',
    default: '104857600',
    summary: 'The largest archive that may be uploaded.',
  },
  {
    name: 'LILAC_BUILDS',
    default: 'half of the cores, at least one',
    summary: 'How many builds run at a time on this machine.',
  },
  {
    name: 'LILAC_BUILDS_PER_ORGANISATION',
    default: '2',
    summary: 'How many builds of one organisation run at a time on this machine.',
  },
  {
    name: 'LILAC_BUILD_MEMORY',
    default: '4096',
    summary: 'Mebibytes of memory one build may use.',
  },
  {
    name: 'LILAC_BUILD_CPUS',
    default: 'all cores',
    summary: 'How many cores one build may use.',
  },
  {
    name: 'LILAC_BUILD_MINUTES',
    default: '30',
    summary: 'A build that takes longer is stopped.',
  },
  {
    name: 'LILAC_BUILD_ENV',
    default: '',
    summary:
      "Names of the platform's own environment variables that builds see too, separated by commas. " +
      'Proxies and certificate bundles are always passed on.',
  },
  {
    name: 'LILAC_RATE_LIMIT',
    default: '5000',
    summary: 'Requests to the API that one address may make in ten minutes.',
  },
  {
    name: 'LILAC_LOG_LEVEL',
    default: 'info',
    summary: 'The least severe messages that are logged: trace, debug, info, warn, error or silent.',
  },
] as const satisfies readonly Setting[];

type SettingName = (typeof settings)[number]['name'];
export type Environment = Partial<Record<string, string>>;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Config {
  home: string;
  port: number;
  bind: string;
  publicUrl: URL;
  appsDomain: string;
  databaseUrl: string | null;
  trustedProxies: readonly string[];
  allowedOrigins: readonly string[];
  featureSwitches: Partial<Record<FeatureFlag, boolean>>;
  /** Null: as many as there are cores. */
  edgeProcesses: number | null;
  /** Base URLs of the repository hosts, without a trailing slash. */
  vcsUrls: Record<GitProvider, URL>;
  /** The hosts that the operator has named, and so may be anywhere; the others are defaults. */
  vcsTrusted: readonly GitProvider[];
  vcsPrivateAddresses: readonly string[];
  uploadMaxBytes: number;
  builds: BuildLimits;
  rateLimit: number;
  logLevel: LogLevel;
}

export interface BuildLimits {
  /** At a time on this machine. */
  concurrency: number;
  perOrganisation: number;
  memoryMb: number;
  cpus: number;
  timeoutMinutes: number;
  /** What builds see of the platform's own environment: proxies, certificate bundles, and what the operator named. */
  hostVariables: Readonly<Record<string, string>>;
}

/** A setting that cannot be used; the message names it and says what would be right. */
export class ConfigError extends Error {}

export function readConfig(environment: Environment): Config {
  const read = (name: SettingName): string | undefined => environment[name]?.trim() || undefined;
  const port = readNumber('LILAC_PORT', read('LILAC_PORT') ?? '7080', { min: 1, max: 65_535 });
  const edgeProcesses = read('LILAC_EDGE_PROCESSES');
  return {
    home: readHome(read('LILAC_HOME')),
    port,
    bind: read('LILAC_BIND') ?? '::',
    publicUrl: readPublicUrl(read('LILAC_PUBLIC_URL') ?? `http://localhost:${port}`),
    appsDomain: readDomain(read('LILAC_APPS_DOMAIN') ?? 'localhost'),
    databaseUrl: readDatabaseUrl(read('LILAC_DATABASE_URL')),
    trustedProxies: readList(read('LILAC_TRUSTED_PROXIES')),
    allowedOrigins: readList(read('LILAC_ALLOWED_ORIGINS')).map(readOrigin),
    featureSwitches: readSwitches(readList(read('LILAC_FEATURE_FLAGS'))),
    edgeProcesses: edgeProcesses ? readNumber('LILAC_EDGE_PROCESSES', edgeProcesses, { min: 1, max: 64 }) : null,
    vcsUrls: {
      provider1: readHostUrl('LILAC_VCS_URL', read('LILAC_VCS_URL') ?? 'https://github.com'),
      provider2: readHostUrl('LILAC_PROVIDER2_URL', read('LILAC_PROVIDER2_URL') ?? 'https://gitlab.com'),
      provider3: readHostUrl('LILAC_PROVIDER3_URL', read('LILAC_PROVIDER3_URL') ?? 'https://bitbucket.org'),
    },
    vcsTrusted: gitProviders.filter((provider) => read(vcsSettings[provider]) !== undefined),
    vcsPrivateAddresses: readList(read('LILAC_VCS_PRIVATE_ADDRESSES')).map(readRange),
    uploadMaxBytes: readNumber('LILAC_UPLOAD_MAX_BYTES', read('LILAC_UPLOAD_MAX_BYTES') ?? '104857600', {
      min: 1024,
      max: 10_737_418_240,
    }),
    builds: readBuildLimits(environment, read),
    rateLimit: readNumber('LILAC_RATE_LIMIT', read('LILAC_RATE_LIMIT') ?? '5000', { min: 1, max: 1_000_000_000 }),
    logLevel: readLogLevel(read('LILAC_LOG_LEVEL') ?? 'info'),
  };
}

/** The settings of this process. */
export function loadConfig(): Config {
  return readConfig(process.env);
}

/** What a role inherits from the supervisor: all but what npm put there. */
export function environmentForRoles(config: Pick<Config, 'home'>): Environment {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  // Always named, so that a process left behind can be told from another installation's.
  return { ...Object.fromEntries(kept), LILAC_HOME: config.home };
}

/** The folders and files below LILAC_HOME, named in one place. */
export function pathsOf(config: Pick<Config, 'home'>) {
  const below = (...parts: string[]) => join(config.home, ...parts);
  return {
    store: below('store'),
    storeSocket: below('store', 'data'),
    run: below('run'),
    apiSocket: below('run', 'api.sock'),
    objectsSocket: below('run', 'objects.sock'),
    routesSnapshot: below('run', 'routes.json'),
    objects: below('objects'),
    repositories: below('cache', 'repositories'),
    builds: below('builds'),
    buildCaches: below('cache', 'builds'),
    toolchains: below('cache', 'toolchains'),
    supervisorLock: below('run', 'supervisor.lock'),
    operatorLock: below('run', 'operator.lock'),
    roles: below('run', 'roles.json'),
    compileCache: below('cache', 'compiled'),
    secrets: below('secrets'),
    keyring: below('secrets', 'keyring.json'),
    storePassword: below('secrets', 'store-password'),
    logs: below('logs'),
    storeLog: below('logs', 'store.log'),
  };
}

/** Linux allows a socket's path 107 bytes; the longest name we put below LILAC_HOME is this. */
const LONGEST_SOCKET_NAME = '/store/data/.s.PGSQL.5432';

function readHome(value: string | undefined): string {
  const home = !value ? join(homedir(), '.lilac') : resolve(value.replace(/^~(?=\/|$)/, homedir()));
  if (Buffer.byteLength(home + LONGEST_SOCKET_NAME) > 107) {
    throw new ConfigError(
      `LILAC_HOME is too long (${home}): unix sockets below it would exceed the system's limit of 107 bytes. ` +
        `Choose a path of at most ${107 - LONGEST_SOCKET_NAME.length} bytes.`,
    );
  }
  return home;
}

function readNumber(name: SettingName, value: string, { min, max }: { min: number; max: number }): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return number;
}

/** Installs fetch packages through these, where the machine has them. */
export const networkVariables: readonly string[] = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PIP_CERT',
];

function readBuildLimits(environment: Environment, read: (name: SettingName) => string | undefined): BuildLimits {
  const cores = availableParallelism();
  const number = (name: SettingName, fallback: number, max: number) =>
    readNumber(name, read(name) ?? String(fallback), { min: 1, max });
  const passedOn = [...networkVariables, ...readList(read('LILAC_BUILD_ENV'))];
  const hostVariables = passedOn.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  return {
    concurrency: number('LILAC_BUILDS', Math.max(1, Math.floor(cores / 2)), 256),
    perOrganisation: number('LILAC_BUILDS_PER_ORGANISATION', 2, 256),
    memoryMb: number('LILAC_BUILD_MEMORY', 4096, 1_048_576),
    cpus: number('LILAC_BUILD_CPUS', cores, 1024),
    timeoutMinutes: number('LILAC_BUILD_MINUTES', 30, 1440),
    hostVariables: Object.fromEntries(hostVariables),
  };
}

const vcsSettings = {
  provider1: 'LILAC_VCS_URL',
  provider2: 'LILAC_PROVIDER2_URL',
  provider3: 'LILAC_PROVIDER3_URL',
} as const satisfies Record<GitProvider, SettingName>;

function readRange(value: string): string {
  const [address = '', bits = '0'] = value.split('/');
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (isIP(address) === 4 ? 32 : 128)) {
    throw new ConfigError(`LILAC_VCS_PRIVATE_ADDRESSES holds "${value}"; a range is like 10.0.0.0/8.`);
  }
  return value;
}

function readHostUrl(name: SettingName, value: string): URL {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) {
    throw new ConfigError(`${name} must be like https://git.example.org, not "${value}".`);
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function readPublicUrl(value: string): URL {
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.username) {
    throw new ConfigError(`LILAC_PUBLIC_URL must be like https://lilac.example.org, without a path, not "${value}".`);
  }
  return url;
}

function readDomain(value: string): string {
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
  if (!new RegExp(`^${label}(\\.${label})*$`, 'i').test(value)) {
    throw new ConfigError(`LILAC_APPS_DOMAIN must be a domain name such as apps.example.org, not "${value}".`);
  }
  return value.toLowerCase();
}

function readDatabaseUrl(value: string | undefined): string | null {
  if (!value) return null;
  // Not parsed here: PostgreSQL also allows an empty host, which URL refuses. It may hold a password,
  // so the message does not repeat it.
  if (!/^postgres(ql)?:\/\/\S+$/.test(value)) {
    throw new ConfigError('LILAC_DATABASE_URL must be like postgresql://user:password@host:5432/database.');
  }
  return value;
}

function readOrigin(value: string): string {
  const url = URL.parse(value);
  if (!url || url.origin === 'null' || url.pathname !== '/') {
    throw new ConfigError(`LILAC_ALLOWED_ORIGINS holds "${value}"; an origin is like https://tools.example.org.`);
  }
  return url.origin;
}

function readSwitches(values: readonly string[]): Partial<Record<FeatureFlag, boolean>> {
  const switches: Partial<Record<FeatureFlag, boolean>> = {};
  for (const value of values) {
    const [flag, state] = value.split('=') as [FeatureFlag, string | undefined];
    if (!featureFlags.includes(flag) || (state !== 'on' && state !== 'off')) {
      throw new ConfigError(
        `LILAC_FEATURE_FLAGS holds "${value}"; write <flag>=on or <flag>=off, with one of ${featureFlags.join(', ')}.`,
      );
    }
    switches[flag] = state === 'on';
  }
  return switches;
}

function readLogLevel(value: string): LogLevel {
  if (!(logLevels as readonly string[]).includes(value)) {
    throw new ConfigError(`LILAC_LOG_LEVEL must be one of ${logLevels.join(', ')}, not "${value}".`);
  }
  return value as LogLevel;
}

function readList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

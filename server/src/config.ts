import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FeatureFlag } from '@lilac/contract/endpoint';
import { gitProviders, type GitProvider } from '@lilac/contract/states';
import {
  ConfigError,
  readAddress,
  readDnsServer,
  readDomain,
  readDuration,
  readHostUrl,
  readList,
  readLogLevel,
  readNumber,
  readOrigin,
  readPortRange,
  readPublicUrl,
  readRange,
  readSubnet,
  readSwitches,
  readToken,
  type LogLevel,
} from './config/read-values.ts';
import { readDatabaseUrl } from './config/read-database-url.ts';
import { readLeads, type Lead } from './config/read-leads.ts';
import { readListen } from './config/read-listen.ts';
import { readS3Settings, type S3Settings } from './config/s3-settings.ts';
import { settings, type Environment, type SettingName } from './config/settings.ts';
import { readRuntimeSettings, type RuntimeSettings } from './config/runtime-settings.ts';

export { ConfigError, settings, type Environment, type LogLevel, type S3Settings };

export interface Config {
  home: string;
  port: number;
  bind: string;
  publicUrl: URL;
  /** Where edges of other hosts reach the api of this one; null: they do not. */
  apiListen: { host: string; port: number } | null;
  appsDomain: string;
  databaseUrl: string | null;
  /** Null: the one below LILAC_HOME. */
  keyringFile: string | null;
  trustedProxies: readonly string[];
  allowedOrigins: readonly string[];
  featureSwitches: Partial<Record<FeatureFlag, boolean>>;
  /** Null: as many as there are cores. */
  edgeProcesses: number | null;
  /** What an edge may keep on its disk of files that are elsewhere. */
  edgeCacheBytes: number;
  /** Base URLs of the repository hosts, without a trailing slash. */
  vcsUrls: Record<GitProvider, URL>;
  /** Where the APIs of the repository hosts are, without a trailing slash. */
  vcsApiUrls: Record<GitProvider, URL>;
  /** How the platform is known to the hosts, where that does not stand in the store. */
  vcsAppsFile: string | null;
  /** The hosts that the operator has named, and so may be anywhere; the others are defaults. */
  vcsTrusted: readonly GitProvider[];
  vcsPrivateAddresses: readonly string[];
  tls: TlsSettings;
  acme: AcmeSettings;
  domains: DomainSettings;
  /** Null: objects are files of this machine. */
  s3: S3Settings | null;
  uploadMaxBytes: number;
  builds: BuildLimits;
  /** What the worker of this host may lead. */
  leads: readonly Lead[];
  runtime: RuntimeSettings;
  instances: InstanceSettings;
  databases: DatabaseSettings;
  rateLimit: number;
  logCaps: LogCapSettings;
  logLevel: LogLevel;
  /** What opens the operator's metrics; null where nobody may read them. */
  metricsToken: string | null;
}

export interface TlsSettings {
  /** Null: nobody is served by https here. */
  port: number | null;
  /** The operator has named it, so it must be had; otherwise there is no https where the usual one is taken. */
  isPortRequired: boolean;
  /** Null: browsers are told nothing. */
  hstsSeconds: number | null;
}

export interface AcmeSettings {
  /** Null: no certificates are asked for. */
  directoryUrl: string | null;
  email: string | null;
  caFile: string | null;
  /** How many renewals that can wait are ordered within three hours. */
  renewals: number;
}

export interface DomainSettings {
  /** Null: what the host of the public URL resolves to. */
  publicAddresses: readonly string[] | null;
  /** Null: the system's own. */
  dnsServers: readonly string[] | null;
  /** The program that creates TXT records; null: there is none. */
  dnsHook: string | null;
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

export interface InstanceSettings {
  scaleDownAfterMs: number;
  idleToZeroAfterMs: number;
  startWithinMs: number;
  drainWithinMs: number;
  /** The first two numbers of the addresses that instances get: `10.213`. */
  subnet: string;
}

export interface DatabaseSettings {
  /** Ports that databases are reached at; both ends belong to it. */
  ports: { first: number; last: number };
  /** The name or address by which clients outside reach this machine. */
  host: string;
  /** The folder of PostgreSQL's programs; null: the newest of the host's and what npm brought. */
  postgresqlPrograms: string | null;
  /** How long the daily backups are kept. */
  backupDays: number;
  importMaxBytes: number;
}

/** What one environment may write into its log. */
export interface LogCapSettings {
  linesPerSecond: number;
  bytesPerDay: number;
}

/** Reads all settings; the only one who does. */
export function readConfig(environment: Environment): Config {
  const read = (name: SettingName): string | undefined => environment[name]?.trim() || undefined;
  const port = readNumber('LILAC_PORT', read('LILAC_PORT') ?? '7080', { min: 1, max: 65_535 });
  const edgeProcesses = read('LILAC_EDGE_PROCESSES');
  const vcsUrls = {
    provider1: readHostUrl('LILAC_VCS_URL', read('LILAC_VCS_URL') ?? 'https://github.com'),
    provider2: readHostUrl('LILAC_PROVIDER2_URL', read('LILAC_PROVIDER2_URL') ?? 'https://gitlab.com'),
    provider3: readHostUrl('LILAC_PROVIDER3_URL', read('LILAC_PROVIDER3_URL') ?? 'https://bitbucket.org'),
  };
  const vcsAppsFile = read('LILAC_VCS_APPS_FILE');
  return {
    home: readHome(read('LILAC_HOME')),
    port,
    bind: read('LILAC_BIND') ?? '::',
    publicUrl: readPublicUrl(read('LILAC_PUBLIC_URL') ?? `http://localhost:${port}`),
    apiListen: readListen('LILAC_API_LISTEN', read('LILAC_API_LISTEN')),
    appsDomain: readDomain(read('LILAC_APPS_DOMAIN') ?? 'localhost'),
    databaseUrl: readDatabaseUrl(read),
    keyringFile: readPath(read('LILAC_KEYRING_FILE')),
    trustedProxies: readList(read('LILAC_TRUSTED_PROXIES')),
    allowedOrigins: readList(read('LILAC_ALLOWED_ORIGINS')).map(readOrigin),
    featureSwitches: readSwitches(readList(read('LILAC_FEATURE_FLAGS'))),
    edgeCacheBytes: readNumber('LILAC_EDGE_CACHE_BYTES', read('LILAC_EDGE_CACHE_BYTES') ?? '10737418240', {
      min: 1_048_576,
      max: 2 ** 50,
    }),
    edgeProcesses: edgeProcesses ? readNumber('LILAC_EDGE_PROCESSES', edgeProcesses, { min: 1, max: 64 }) : null,
    vcsUrls,
    vcsApiUrls: {
      provider1: readHostUrl('LILAC_VCS_API_URL', read('LILAC_VCS_API_URL') ?? apiOf(vcsUrls, 'provider1')),
      provider2: readHostUrl('LILAC_PROVIDER2_API_URL', read('LILAC_PROVIDER2_API_URL') ?? apiOf(vcsUrls, 'provider2')),
      provider3: readHostUrl('LILAC_PROVIDER3_API_URL', read('LILAC_PROVIDER3_API_URL') ?? apiOf(vcsUrls, 'provider3')),
    },
    vcsAppsFile: vcsAppsFile === undefined ? null : resolve(vcsAppsFile),
    vcsTrusted: gitProviders.filter((provider) => read(vcsSettings[provider]) !== undefined),
    vcsPrivateAddresses: readList(read('LILAC_VCS_PRIVATE_ADDRESSES')).map(readRange),
    tls: readTlsSettings(read),
    acme: readAcmeSettings(read),
    domains: readDomainSettings(read),
    s3: readS3Settings(read),
    uploadMaxBytes: readNumber('LILAC_UPLOAD_MAX_BYTES', read('LILAC_UPLOAD_MAX_BYTES') ?? '104857600', {
      min: 1024,
      max: 10_737_418_240,
    }),
    builds: readBuildLimits(environment, read),
    leads: readLeads(read('LILAC_LEADS')),
    runtime: readRuntimeSettings(read),
    instances: readInstanceSettings(read),
    databases: readDatabaseSettings(read),
    rateLimit: readNumber('LILAC_RATE_LIMIT', read('LILAC_RATE_LIMIT') ?? '5000', { min: 1, max: 1_000_000_000 }),
    logCaps: readLogCaps(read),
    logLevel: readLogLevel(read('LILAC_LOG_LEVEL') ?? 'info'),
    metricsToken: readToken('LILAC_METRICS_TOKEN', read('LILAC_METRICS_TOKEN')),
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
/** The public hosts have their APIs at names of their own; what is run elsewhere has it below its own address. */
function apiOf(vcsUrls: Record<GitProvider, URL>, provider: GitProvider): string {
  const url = vcsUrls[provider];
  if (url.hostname === 'github.com') return 'https://api.github.com';
  if (url.hostname === 'bitbucket.org') return 'https://api.bitbucket.org/2.0';
  return url.href.replace(/\/$/, '') + { provider1: '/api/v3', provider2: '/api/v4', provider3: '/2.0' }[provider];
}

export function pathsOf(config: Pick<Config, 'home'> & Partial<Pick<Config, 'keyringFile'>>) {
  const below = (...parts: string[]) => join(config.home, ...parts);
  return {
    store: below('store'),
    storeSocket: below('store', 'data'),
    run: below('run'),
    apiSocket: below('run', 'api.sock'),
    objectsSocket: below('run', 'objects.sock'),
    routesSnapshot: below('run', 'routes.json'),
    certificatesSnapshot: below('run', 'certificates.json'),
    objects: below('objects'),
    repositories: below('cache', 'repositories'),
    builds: below('builds'),
    buildCaches: below('cache', 'builds'),
    toolchains: below('cache', 'toolchains'),
    /** The trees of servers, unpacked. */
    slugs: below('cache', 'slugs'),
    /** What runs: a folder for each instance, with its record. */
    instances: below('instances'),
    /** What instances wrote: a folder for each, until the last line of it is in the log. */
    outputs: below('outputs'),
    /** A folder for each server of a database: its record, and the volume with its data. */
    databases: below('databases'),
    /** The files of an empty server, for each engine and series. */
    databaseTemplates: below('cache', 'databases'),
    edgeSockets: below('run', 'edges'),
    /** What edges have fetched of files that are elsewhere. */
    edgeCache: below('edge-cache'),
    isolation: below('run', 'isolation.json'),
    instanceNetwork: below('run', 'instance-network.json'),
    databaseDoors: below('run', 'database-doors.json'),
    supervisorLock: below('run', 'supervisor.lock'),
    operatorLock: below('run', 'operator.lock'),
    roles: below('run', 'roles.json'),
    hostId: below('host-id'),
    httpsLack: below('run', 'no-https'),
    compileCache: below('cache', 'compiled'),
    secrets: below('secrets'),
    keyring: config.keyringFile ?? below('secrets', 'keyring.json'),
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

function readPath(value: string | undefined): string | null {
  return value === undefined ? null : resolve(value);
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

function readTlsSettings(read: (name: SettingName) => string | undefined): TlsSettings {
  const [port, hsts] = [read('LILAC_TLS_PORT'), read('LILAC_HSTS') ?? 'off'];
  return {
    port: port === 'off' ? null : readNumber('LILAC_TLS_PORT', port ?? '7443', { min: 1, max: 65_535 }),
    isPortRequired: port !== undefined,
    hstsSeconds: hsts === 'off' ? null : readNumber('LILAC_HSTS', hsts, { min: 1, max: 63_072_000 }),
  };
}

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

function readAcmeSettings(read: (name: SettingName) => string | undefined): AcmeSettings {
  const directory = read('LILAC_ACME_DIRECTORY') ?? LETS_ENCRYPT;
  const caFile = read('LILAC_ACME_CA_FILE');
  return {
    directoryUrl: directory === 'off' ? null : readHostUrl('LILAC_ACME_DIRECTORY', directory).href,
    email: read('LILAC_ACME_EMAIL') ?? null,
    caFile: caFile === undefined ? null : resolve(caFile),
    renewals: readNumber('LILAC_ACME_RENEWALS', read('LILAC_ACME_RENEWALS') ?? '90', { min: 1, max: 100_000 }),
  };
}

function readDomainSettings(read: (name: SettingName) => string | undefined): DomainSettings {
  const [addresses, servers, hook] = [
    readList(read('LILAC_PUBLIC_ADDRESSES')),
    readList(read('LILAC_DNS_SERVERS')),
    read('LILAC_DNS_HOOK'),
  ];
  return {
    publicAddresses: addresses.length === 0 ? null : addresses.map(readAddress),
    dnsServers: servers.length === 0 ? null : servers.map(readDnsServer),
    dnsHook: hook === undefined ? null : resolve(hook),
  };
}

function readLogCaps(read: (name: SettingName) => string | undefined): LogCapSettings {
  const number = (name: SettingName, fallback: number, limits: { min: number; max: number }) =>
    readNumber(name, read(name) ?? String(fallback), limits);
  return {
    linesPerSecond: number('LILAC_LOG_LINES_PER_SECOND', 5000, { min: 1, max: 1_000_000 }),
    bytesPerDay: number('LILAC_LOG_BYTES_PER_DAY', 2 ** 30, { min: 1024, max: 2 ** 40 }),
  };
}

function readDatabaseSettings(read: (name: SettingName) => string | undefined): DatabaseSettings {
  const publicUrl = readPublicUrl(read('LILAC_PUBLIC_URL') ?? 'http://localhost');
  const number = (name: SettingName, fallback: number, max: number) =>
    readNumber(name, read(name) ?? String(fallback), { min: 1, max });
  return {
    ports: readPortRange('LILAC_DATABASE_PORTS', read('LILAC_DATABASE_PORTS') ?? '15000-15999'),
    host: read('LILAC_DATABASE_HOST') ?? publicUrl.hostname,
    postgresqlPrograms: read('LILAC_POSTGRESQL_PROGRAMS') ?? null,
    backupDays: number('LILAC_BACKUP_DAYS', 7, 3650),
    importMaxBytes: number('LILAC_IMPORT_MAX_BYTES', 10 * 2 ** 30, 2 ** 43),
  };
}

const HOUR_MS = 3_600_000;

function readInstanceSettings(read: (name: SettingName) => string | undefined): InstanceSettings {
  const duration = (name: SettingName, fallback: string, minMs = 100) =>
    readDuration(name, read(name) ?? fallback, { minMs, maxMs: 24 * HOUR_MS });
  return {
    scaleDownAfterMs: duration('LILAC_SCALE_DOWN_AFTER', '60s'),
    idleToZeroAfterMs: duration('LILAC_IDLE_TO_ZERO_AFTER', '10m'),
    startWithinMs: duration('LILAC_START_WITHIN', '60s', 1000),
    drainWithinMs: duration('LILAC_DRAIN_WITHIN', '30s'),
    subnet: readSubnet(read('LILAC_INSTANCE_SUBNET') ?? '10.213.0.0/16'),
  };
}

const vcsSettings = {
  provider1: 'LILAC_VCS_URL',
  provider2: 'LILAC_PROVIDER2_URL',
  provider3: 'LILAC_PROVIDER3_URL',
} as const satisfies Record<GitProvider, SettingName>;

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { featureFlags, type FeatureFlag } from '@lilac/contract/endpoint';

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
  rateLimit: number;
  logLevel: LogLevel;
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

import type { FeatureFlag } from '@lilac/contract/endpoint';
import { readAcmeSettings, type AcmeSettings } from './config/acme-settings.ts';
import { readBuildLimits, type BuildLimits } from './config/build-settings.ts';
import { readDatabaseSettings, type DatabaseSettings } from './config/database-settings.ts';
import { readDomainSettings, type DomainSettings } from './config/domain-settings.ts';
import { pathsOf, readHome } from './config/home.ts';
import { readInstanceSettings, type InstanceSettings } from './config/instance-settings.ts';
import { readLogCaps, type LogCapSettings } from './config/log-cap-settings.ts';
import { readDatabaseUrl } from './config/read-database-url.ts';
import { readLeads, type Lead } from './config/read-leads.ts';
import { readListen } from './config/read-listen.ts';
import {
  ConfigError,
  readDomain,
  readList,
  readLogLevel,
  readNumber,
  readOrigin,
  readPath,
  readPublicUrl,
  readSwitches,
  readToken,
  type LogLevel,
} from './config/read-values.ts';
import { readRuntimeSettings, type RuntimeSettings } from './config/runtime-settings.ts';
import { readS3Settings, type S3Settings } from './config/s3-settings.ts';
import { settings, type Environment, type ReadSetting } from './config/settings.ts';
import { readTlsSettings, type TlsSettings } from './config/tls-settings.ts';
import { readVcsSettings, type VcsSettings } from './config/vcs-settings.ts';

export { ConfigError, pathsOf, settings, type Environment, type LogLevel, type S3Settings };

export interface Config extends VcsSettings {
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

/** Reads all settings; the only one who does. */
export function readConfig(environment: Environment): Config {
  const read: ReadSetting = (name) => environment[name]?.trim() || undefined;
  const port = readNumber('LILAC_PORT', read('LILAC_PORT') ?? '7080', { min: 1, max: 65_535 });
  const edgeProcesses = read('LILAC_EDGE_PROCESSES');
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
    ...readVcsSettings(read),
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

import { acmeSettings } from './acme-settings.ts';
import { buildSettings } from './build-settings.ts';
import { databaseSettings } from './database-settings.ts';
import { domainSettings } from './domain-settings.ts';
import { instanceSettings } from './instance-settings.ts';
import { logCapSettings } from './log-cap-settings.ts';
import { runtimeSettings } from './runtime-settings.ts';
import { s3Settings } from './s3-settings.ts';
import type { Setting } from './setting.ts';
import { tlsSettings } from './tls-settings.ts';
import { vcsSettings } from './vcs-settings.ts';

/**
 * Every setting, as data: read once here, documented from here (docs/reference/configuration.md).
 * Nothing else reads the environment. Those that are read together stand with what reads them.
 */
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
    name: 'LILAC_API_LISTEN',
    default: '',
    summary:
      'An address and a port of this host at which its api takes what edges of other hosts pass on: `10.0.0.7:7090`, or ' +
      'a range that the address of each host is in, `10.0.0.0/24:7090`, so that all may have the same setting. They ' +
      'find it by the store. Whoever does not have the key file of the platform gets nowhere there.',
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
    name: 'LILAC_DATABASE_URL_FILE',
    default: '',
    summary:
      'A file that holds it in place of the setting before, so that its password stands in no environment: a secret of ' +
      'a stack.',
  },
  {
    name: 'LILAC_KEYRING_FILE',
    default: '<LILAC_HOME>/secrets/keyring.json',
    summary:
      'The key file that opens the secrets in the store. All hosts of one platform need the same: a copy, or a secret ' +
      'that is given to them as a file. Mode 0600 or 0400.',
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
    name: 'LILAC_EDGE_CACHE_BYTES',
    default: '10737418240',
    summary:
      'Where objects are in a bucket: how much of them the edges of this host keep on its disk. ' +
      'What was not asked for the longest goes first.',
  },
  ...vcsSettings,
  ...tlsSettings,
  ...acmeSettings,
  ...domainSettings,
  {
    name: 'LILAC_UPLOAD_MAX_BYTES',
    default: '104857600',
    summary: 'The largest archive that may be uploaded.',
  },
  ...buildSettings,
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
  ...logCapSettings,
  {
    name: 'LILAC_METRICS_TOKEN',
    default: '',
    summary:
      'Lets a Prometheus read `/metrics` of the public address: it sends this token, at least 16 characters, as ' +
      '`Authorization: Bearer <token>`. Without it there is no such page.',
  },
  ...instanceSettings,
  {
    name: 'LILAC_LEADS',
    default: 'instances,databases',
    summary:
      'Of all workers one keeps the instances, and one the databases. Which of the two the worker of this host may: ' +
      '`instances`, `databases`, both separated by a comma, or `off`.',
  },
  ...runtimeSettings,
  ...databaseSettings,
  ...s3Settings,
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];
export type Environment = Partial<Record<string, string>>;
/** What a setting was given; undefined where it was left out, or is empty. */
export type ReadSetting = (name: SettingName) => string | undefined;

import { availableParallelism } from 'node:os';
import { readList, readNumber } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { Environment, ReadSetting, SettingName } from './settings.ts';

export const buildSettings = [
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
] as const satisfies readonly Setting[];

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

export function readBuildLimits(environment: Environment, read: ReadSetting): BuildLimits {
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

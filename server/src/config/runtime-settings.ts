import { isIPv4 } from 'node:net';
import { ConfigError } from './read-values.ts';
import type { SettingName } from './settings.ts';

export const runtimeKinds = ['sandbox', 'docker', 'swarm'] as const;
export type RuntimeKind = (typeof runtimeKinds)[number];

/** What instances run in. */
export interface RuntimeSettings {
  /** Null: `docker` where an engine answers that has the stack image, `sandbox` elsewhere. */
  kind: RuntimeKind | null;
  /** `/var/run/docker.sock`. */
  dockerSocket: string;
  /** `10.0.5.0/24`; null: the machines of the swarm, whatever their addresses. */
  clusterRange: string | null;
}

type Read = (name: SettingName) => string | undefined;

export function readRuntimeSettings(read: Read): RuntimeSettings {
  const kind = read('LILAC_RUNTIME') ?? null;
  if (kind !== null && !isKind(kind)) {
    throw new ConfigError(`LILAC_RUNTIME must be ${runtimeKinds.join(', ')} or left out, not "${kind}".`);
  }
  const dockerSocket = readSocket(read('LILAC_DOCKER_HOST') ?? 'unix:///var/run/docker.sock');
  return { kind, dockerSocket, clusterRange: readRange(read('LILAC_CLUSTER_RANGE') ?? null) };
}

function readRange(text: string | null): string | null {
  if (text === null) return null;
  const [address = '', bits = ''] = text.split('/');
  if (isIPv4(address) && /^\d+$/.test(bits) && Number(bits) >= 8 && Number(bits) <= 32) return text;
  throw new ConfigError(`LILAC_CLUSTER_RANGE must be a range of IPv4 addresses such as 10.0.5.0/24, not "${text}".`);
}

const isKind = (text: string): text is RuntimeKind => runtimeKinds.some((kind) => kind === text);

/** Instances are given folders of this machine, so the engine must be this machine's too. */
function readSocket(host: string): string {
  const path = host.startsWith('unix://') ? host.slice('unix://'.length) : host;
  if (!path.startsWith('/')) {
    throw new ConfigError(`LILAC_DOCKER_HOST must be a socket like unix:///var/run/docker.sock, not "${host}".`);
  }
  return path;
}

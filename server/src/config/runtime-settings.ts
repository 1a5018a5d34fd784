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
}

type Read = (name: SettingName) => string | undefined;

export function readRuntimeSettings(read: Read): RuntimeSettings {
  const kind = read('LILAC_RUNTIME') ?? null;
  if (kind !== null && !isKind(kind)) {
    throw new ConfigError(`LILAC_RUNTIME must be ${runtimeKinds.join(', ')} or left out, not "${kind}".`);
  }
  return { kind, dockerSocket: readSocket(read('LILAC_DOCKER_HOST') ?? 'unix:///var/run/docker.sock') };
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

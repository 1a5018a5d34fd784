import { isIPv4 } from 'node:net';
import { ConfigError } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting } from './settings.ts';

/** Where everybody may get images, and nobody else decides where an engine is sent on to. */
const DEFAULT_REGISTRIES =
  'docker.io,ghcr.io,quay.io,gcr.io,registry.gitlab.com,public.ecr.aws,mcr.microsoft.com,registry.k8s.io';

export const runtimeSettings = [
  {
    name: 'LILAC_RUNTIME',
    default: 'docker where an engine answers that has the stack image, else sandbox; the same while servers are left',
    summary:
      'What servers run in: `sandbox` (processes of this machine), `docker` (containers of its engine) or `swarm` ' +
      '(services of a Docker Swarm).',
  },
  {
    name: 'LILAC_DOCKER_HOST',
    default: 'unix:///var/run/docker.sock',
    summary: 'The socket of the engine, for `docker` and `swarm`; that of a manager, for `swarm`.',
  },
  {
    name: 'LILAC_DOCKERFILES',
    default: 'off',
    summary:
      'For `docker`: whether projects are built from their Dockerfiles, which gives whoever may deploy root in a container ' +
      'of the engine. `on` needs the files of the engine on another file system than `LILAC_HOME`, since a build can fill ' +
      'it; `on-shared-disk` does without.',
  },
  {
    name: 'LILAC_IMAGE_REGISTRIES',
    default: DEFAULT_REGISTRIES,
    summary:
      'For `docker`: where the images may come from that Dockerfiles are built on, separated by commas. The engine asks ' +
      'them from where it stands, so name none that could send it to addresses of your own network.',
  },
  {
    name: 'LILAC_CLUSTER_RANGE',
    default: 'the addresses of the machines in the swarm',
    summary:
      'For `swarm`: the range that the machines of this platform are in, such as `10.0.5.0/24`. Whoever is in it may ' +
      'reach instances, and no instance reaches anything in it but the databases of its own organisation.',
  },
] as const satisfies readonly Setting[];

const runtimeKinds = ['sandbox', 'docker', 'swarm'] as const;
export type RuntimeKind = (typeof runtimeKinds)[number];

const dockerfileModes = ['off', 'on', 'on-shared-disk'] as const;
export type DockerfileMode = (typeof dockerfileModes)[number];

/** What instances run in. */
export interface RuntimeSettings {
  /** Null: `runtime/take-runtime.ts` decides. */
  kind: RuntimeKind | null;
  /** `/var/run/docker.sock`. */
  dockerSocket: string;
  /** Whether Dockerfiles are built; also where the engine's files are on the disk of LILAC_HOME. */
  dockerfiles: DockerfileMode;
  /** From which the images may come that Dockerfiles are built on. */
  imageRegistries: readonly string[];
  /** `10.0.5.0/24`; null: the machines of the swarm, whatever their addresses. */
  clusterRange: string | null;
}

export function readRuntimeSettings(read: ReadSetting): RuntimeSettings {
  const kind = read('LILAC_RUNTIME') ?? null;
  if (kind !== null && !isRuntimeKind(kind)) {
    throw new ConfigError(`LILAC_RUNTIME must be ${runtimeKinds.join(', ')} or left out, not "${kind}".`);
  }
  const dockerSocket = readSocket(read('LILAC_DOCKER_HOST') ?? 'unix:///var/run/docker.sock');
  const imageRegistries = readRegistries(read('LILAC_IMAGE_REGISTRIES') ?? DEFAULT_REGISTRIES);
  const dockerfiles = readDockerfiles(read('LILAC_DOCKERFILES') ?? 'off');
  const clusterRange = readRange(read('LILAC_CLUSTER_RANGE') ?? null);
  return { kind, dockerSocket, dockerfiles, imageRegistries, clusterRange };
}

function readDockerfiles(text: string): DockerfileMode {
  const mode = dockerfileModes.find((each) => each === text);
  if (mode) return mode;
  throw new ConfigError(`LILAC_DOCKERFILES must be ${dockerfileModes.join(', ')} or left out, not "${text}".`);
}

function readRegistries(text: string): string[] {
  const names = text.split(',').flatMap((name) => name.trim().toLowerCase() || []);
  const wrong = names.find((name) => !/^[a-z0-9.-]+(:\d+)?$/.test(name));
  if (wrong === undefined) return names;
  throw new ConfigError(
    `LILAC_IMAGE_REGISTRIES must be names of registries such as ghcr.io, separated by commas, not "${wrong}".`,
  );
}

function readRange(text: string | null): string | null {
  if (text === null) return null;
  const [address = '', bits = ''] = text.split('/');
  if (isIPv4(address) && /^\d+$/.test(bits) && Number(bits) >= 8 && Number(bits) <= 32) return text;
  throw new ConfigError(`LILAC_CLUSTER_RANGE must be a range of IPv4 addresses such as 10.0.5.0/24, not "${text}".`);
}

export const isRuntimeKind = (text: unknown): text is RuntimeKind => runtimeKinds.some((kind) => kind === text);

/** Instances are given folders of this machine, so the engine must be this machine's too. */
function readSocket(host: string): string {
  const path = host.startsWith('unix://') ? host.slice('unix://'.length) : host;
  if (!path.startsWith('/')) {
    throw new ConfigError(`LILAC_DOCKER_HOST must be a socket like unix:///var/run/docker.sock, not "${host}".`);
  }
  return path;
}

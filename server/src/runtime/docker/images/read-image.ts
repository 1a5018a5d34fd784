import type Docker from 'dockerode';
import type { BuiltImage } from '../../../build/image/image-maker.ts';

/** What starting an image takes. */
export interface UsedImage {
  name: string;
  user: string;
  /** Its entry point and command together. */
  command: readonly string[];
  volumes: readonly string[];
}

/** What whoever built it wants to know. */
export async function describeImage(engine: Docker, name: string): Promise<BuiltImage> {
  const { Config, RootFS } = await engine.getImage(name).inspect();
  const exposed = Object.keys(Config.ExposedPorts ?? {}).filter((text) => !text.endsWith('/udp'));
  const variables = (Config.Env ?? []).map((text) => [text.split('=')[0]!, text.slice(text.indexOf('=') + 1)]);
  return {
    layerCount: RootFS?.Layers?.length ?? 0,
    ports: exposed.map((text) => Number.parseInt(text, 10)).toSorted((a, b) => a - b),
    command: commandOf(Config),
    env: Object.fromEntries(variables) as Record<string, string>,
  };
}

export async function readImage(engine: Docker, name: string): Promise<UsedImage> {
  const { Config } = await engine.getImage(name).inspect();
  return { name, user: Config.User ?? '', command: commandOf(Config), volumes: Object.keys(Config.Volumes ?? {}) };
}

type Words = string | string[] | null | undefined;

const commandOf = ({ Entrypoint, Cmd }: { Entrypoint?: Words; Cmd?: Words }): string[] => [
  ...listOf(Entrypoint),
  ...listOf(Cmd),
];

const listOf = (value: Words): string[] => (typeof value === 'string' ? [value] : (value ?? []));

/** The name of an image, told apart. */
export interface ImageReference {
  /** `docker.io`, `ghcr.io`, `registry.example:5000`. */
  registry: string;
  /** `library/node`. */
  path: string;
  /** `22-slim`; the digest where the name has one. */
  version: string;
  /** As the engine is asked for it: whole, so that no setting of the engine completes it otherwise. */
  whole: string;
}

const DEFAULT_REGISTRY = 'docker.io';
const PATH = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const HOST = /^[a-z0-9]+(?:[.-]+[a-z0-9]+)*(?::\d+)?$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** As engines read it; null where it is no name of an image. */
export function parseReference(text: string): ImageReference | null {
  const [named = '', digest, ...more] = text.split('@');
  if (more.length > 0 || (digest !== undefined && !DIGEST.test(digest))) return null;
  const { registry, rest } = splitRegistry(named);
  const [path = '', tag, ...others] = rest.split(':');
  if (others.length > 0 || !PATH.test(path) || !HOST.test(registry)) return null;
  if (tag !== undefined && !TAG.test(tag)) return null;
  const inLibrary = registry === DEFAULT_REGISTRY && !path.includes('/') ? `library/${path}` : path;
  const version = digest ?? tag ?? 'latest';
  return { registry, path: inLibrary, version, whole: `${registry}/${inLibrary}${digest ? '@' : ':'}${version}` };
}

/** A first part with a dot or a port, or `localhost`, is a registry; anything else is a part of the name. */
function splitRegistry(named: string): { registry: string; rest: string } {
  const slash = named.indexOf('/');
  const first = named.slice(0, Math.max(slash, 0));
  const isHost = /[.:A-Z]/.test(first) || first === 'localhost';
  if (!isHost) return { registry: DEFAULT_REGISTRY, rest: named };
  const registry = first === 'index.docker.io' ? DEFAULT_REGISTRY : first.toLowerCase();
  return { registry, rest: named.slice(slash + 1) };
}

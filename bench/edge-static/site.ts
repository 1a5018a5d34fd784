import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  blobKey,
  manifestKey,
  type StaticFile,
  type StaticManifest,
} from '../../server/src/artifacts/static-manifest.ts';
import { pathsOf } from '../../server/src/config.ts';
import type { Route } from '../../server/src/routing/route.ts';

export const FILES = { '/1k.bin': 1024, '/64k.bin': 65_536 } as const;
export const APPS_DOMAIN = 'apps.test';
const ROUTES = 100_000;
const MEASURED = 77_777;
export const HOST = `app-${MEASURED}.${APPS_DOMAIN}`;

/**
 * The same files for all: plain ones, and a release with its manifest, one of many environments, whose routes it
 * returns.
 */
export function prepareSite(folder: string): Route[] {
  const paths = pathsOf({ home: folder });
  const files: Record<string, StaticFile> = {};
  for (const [path, size] of Object.entries(FILES)) {
    const bytes = randomBytes(size);
    const hash = createHash('sha256').update(bytes).digest('hex');
    files[path] = { hash, size, type: 'application/octet-stream', isImmutable: false, variants: {} };
    write(join(folder, 'plain', path), bytes);
    write(join(paths.objects, blobKey(hash)), bytes);
  }
  const artifactId = `art_${MEASURED}`;
  const manifest: StaticManifest = { version: 1, artifactId, files, isSinglePage: false, redirects: [], headers: [] };
  write(join(paths.objects, manifestKey(artifactId)), JSON.stringify(manifest));
  return Array.from({ length: ROUTES }, routeOf);
}

function routeOf(_: unknown, number: number): Route {
  return {
    environmentId: `env_${number}`,
    subdomain: `app-${number}`,
    target: { kind: 'static', artifactId: `art_${number}`, deploymentId: `dep_${number}`, revision: 1 },
    lock: null,
    accessLog: false,
    domain: null,
    atSubdomain: true,
    version: number + 1,
  };
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

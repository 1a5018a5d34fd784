import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { silentLog } from '../../lib/log.ts';
import { createTestStore, type TestStore } from '../../testing/test-store.ts';
import type { ArtifactsDeps } from '../artifacts-deps.ts';
import { packStatic, type PackRequest } from '../pack-static.ts';
import { blobKey, manifestKey, type StaticManifest } from '../static-manifest.ts';
import { ENVIRONMENT, ORGANISATION } from './bench-ids.ts';
import { openObjects } from './open-objects.ts';

export type Site = Record<string, string | Buffer>;

/** A store with one environment, and objects in a folder: `await using bench = await openArtifactsBench()`. */
export interface ArtifactsBench extends ArtifactsDeps, AsyncDisposable {
  store: TestStore;
  home: string;
  objectsRoot: string;
  /** A folder with these files. */
  folderOf(site: Site): string;
  /** Packs the files, or a folder as it is; what was told is in `lines`. */
  pack(site: Site | string, options?: Partial<PackRequest>): Promise<PackedSite>;
  manifestOf(artifactId: string): StaticManifest;
  /** What is wrong with an artifact: blobs of its manifest that are gone or hold something else. */
  faultsOf(artifactId: string): string[];
  /** Every object there is, by key. */
  keys(): string[];
  /** A deployment of the environment. */
  deploy(deployment: { status: string; artifactId?: string }): Promise<string>;
}

export interface PackedSite {
  artifactId: string;
  fileCount: number;
  size: number;
  lines: string[];
}

export async function openArtifactsBench(): Promise<ArtifactsBench> {
  const home = mkdtempSync(join(tmpdir(), 'lilac-artifacts-'));
  const objectsRoot = join(home, 'objects');
  mkdirSync(objectsRoot);
  const store = await createTestStore();
  await insertEnvironment(store);
  const deps = { store, objects: openObjects(objectsRoot), log: silentLog };
  const folderOf = (site: Site) => writeSite(mkdtempSync(join(home, 'site-')), site);
  return {
    ...deps,
    home,
    objectsRoot,
    folderOf,
    async pack(site, options) {
      const lines: string[] = [];
      const request = {
        artifactId: `art_${randomBytes(8).toString('hex')}`,
        organisationId: ORGANISATION,
        environmentId: ENVIRONMENT,
        folder: typeof site === 'string' ? site : folderOf(site),
        isSinglePage: false,
        signal: new AbortController().signal,
        onLine: (line: string) => lines.push(line),
        ...options,
      };
      return { artifactId: request.artifactId, lines, ...(await packStatic(deps, request)) };
    },
    manifestOf: (artifactId) =>
      JSON.parse(readFileSync(join(objectsRoot, manifestKey(artifactId)), 'utf8')) as StaticManifest,
    faultsOf: (artifactId) => faultsOf(objectsRoot, artifactId),
    keys: () => listFiles(objectsRoot),
    deploy: (deployment) => insertDeployment(store, deployment),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function faultsOf(root: string, artifactId: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, manifestKey(artifactId)), 'utf8')) as StaticManifest;
  const blobs = Object.values(manifest.files).flatMap(({ hash, variants }) => [
    hash,
    ...Object.values(variants).map((variant) => variant.hash),
  ]);
  return blobs.filter((hash) => {
    const path = join(root, blobKey(hash));
    return !existsSync(path) || sha256(readFileSync(path)) !== hash;
  });
}

function writeSite(folder: string, site: Site): string {
  for (const [path, content] of Object.entries(site)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

export function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

async function insertEnvironment({ pool }: TestStore): Promise<void> {
  await pool.query(`
    insert into organisations (id, name, slug, plan) values ('${ORGANISATION}', 'Bench', 'bench', 'pro');
    insert into applications (id, organisation_id, name, slug, deployment_type, framework, source_type)
      values ('app_bench', '${ORGANISATION}', 'Bench', 'bench', 'static', 'html', 'upload');
    insert into environments (id, organisation_id, application_id, name, subdomain)
      values ('${ENVIRONMENT}', '${ORGANISATION}', 'app_bench', 'production', 'bench')`);
}

async function insertDeployment(
  { pool }: TestStore,
  { status, artifactId }: { status: string; artifactId?: string },
): Promise<string> {
  const id = `dep_${randomBytes(8).toString('hex')}`;
  await pool.query(
    `insert into deployments (id, organisation_id, application_id, environment_id, status, artifact_id)
     values ($1, $2, 'app_bench', $3, $4, $5)`,
    [id, ORGANISATION, ENVIRONMENT, status, artifactId ?? null],
  );
  return id;
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packStatic } from '../../../artifacts/pack-static.ts';
import type { EnvironmentRow } from '../../../db/schema.ts';
import { newId } from '../../../lib/ids.ts';
import { silentLog } from '../../../lib/log.ts';
import { createLocalObjectStore } from '../../../objects/local/local-object-store.ts';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { createDeployment } from '../../../testing/factories.ts';
import type { Answer } from '../../../testing/harness.ts';
import { openProjectWorld, type ProjectWorld } from '../../applications/testing/project-world.ts';
import { tearDownEnvironment, type TearDownDeps } from '../tear-down-environment.ts';

/** Where things are deployed, deleted and torn down, with real files. */
export interface TearDownWorld extends ProjectWorld {
  objects: ObjectStore;
  deps: TearDownDeps;
  /** The environments whose caches were forgotten. */
  forgotten: string[];
  /** The environments whose instances were asked to go. */
  cleared: string[];
  remove(kind: 'environments' | 'applications', body: object): Promise<Answer>;
  tearDown(environmentId: string): Promise<void>;
  statusOf(environmentId: string): Promise<number>;
  createPreview(applicationId: string): Promise<EnvironmentRow>;
  /** A deployment with an artifact of one file, whose content nothing else has; returns the artifact's id. */
  release(environment: EnvironmentRow, uploadId?: string): Promise<string>;
  /** Of every object there is. */
  keys(): Promise<string[]>;
}

export async function openTearDownWorld(): Promise<TearDownWorld> {
  const world = await openProjectWorld();
  const { api } = world;
  const call = (path: string, body: object) => world.call(path, body);
  const folder = mkdtempSync(join(tmpdir(), 'lilac-tear-down-'));
  const root = join(folder, 'objects');
  const objects = createLocalObjectStore({ root, signingKey: Buffer.alloc(32, 1), publicUrl: api.config.publicUrl });
  const forgotten: string[] = [];
  const builder = { forgetEnvironment: (id: string) => Promise.resolve(void forgotten.push(id)) };
  const cleared: string[] = [];
  const fleet = { clear: (id: string) => Promise.resolve(void cleared.push(id)) };
  const deps = { store: api.store, objects, builder, fleet, log: silentLog };
  return {
    ...world,
    objects,
    deps,
    forgotten,
    cleared,
    remove: (kind, body) => call(`/api/${kind}/delete`, body),
    tearDown: (id) => tearDownEnvironment(deps, id, new AbortController().signal),
    statusOf: async (environmentId) => (await call('/api/environments/status', { environmentId })).status,
    async createPreview(applicationId) {
      const { body } = await call('/api/environments/create', { applicationId, name: 'preview', vcsBranch: 'next' });
      const query = api.store.db
        .selectFrom('environments')
        .selectAll()
        .where('id', '=', body.id as string);
      return query.executeTakeFirstOrThrow();
    },
    async release(environment, uploadId) {
      const artifactId = newId('art');
      await pack(deps, { environment, artifactId, folder: mkdtempSync(join(folder, 'site-')) });
      await createDeployment(api, environment, { artifact_id: artifactId, upload_id: uploadId ?? null });
      return artifactId;
    },
    keys: () => listKeys(objects),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function pack(
  deps: TearDownDeps,
  { environment, artifactId, folder }: { environment: EnvironmentRow; artifactId: string; folder: string },
): Promise<void> {
  writeFileSync(join(folder, 'index.html'), artifactId);
  const { organisation_id: organisationId, id: environmentId } = environment;
  const request = { artifactId, organisationId, environmentId, folder, isSinglePage: false };
  await packStatic(deps, { ...request, signal: new AbortController().signal, onLine: () => {} });
}

async function listKeys(objects: ObjectStore): Promise<string[]> {
  const found: string[] = [];
  for (const prefix of ['uploads/', 'blobs/', 'manifests/']) {
    for await (const key of objects.list(prefix)) found.push(key);
  }
  return found.toSorted();
}

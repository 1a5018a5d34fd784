import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../server/src/lib/ids.ts';
import type { EnvironmentRow, UploadRow } from '../server/src/db/schema.ts';
import type { Keyring } from '../server/src/secrets/keyring.ts';
import {
  createApplication,
  createDatabase,
  createDeployment,
  createUpload,
  productionOf,
} from '../server/src/testing/factories.ts';
import { createTestStore, type TestStore } from '../server/src/testing/test-store.ts';
import { readObjects } from './read-objects.ts';
import { createOrganisation } from './testing/create-organisation.ts';

const keyring = { seal: () => 'sealed' } as unknown as Keyring;
const HASH = 'ab'.repeat(32);

let store: TestStore;
let environment: EnvironmentRow;

beforeEach(async () => {
  store = await createTestStore();
  const { id } = await createApplication({ store }, { organisationId: await createOrganisation(store) });
  environment = await productionOf({ store }, id);
});

afterEach(() => store[Symbol.asyncDispose]());

/** With one blob. */
async function createArtifact(state: 'packing' | 'whole', environmentId = environment.id): Promise<string> {
  const id = newId('art');
  const organisation_id = environment.organisation_id;
  const artifact = { id, organisation_id, environment_id: environmentId, kind: 'static', state } as const;
  await store.db.insertInto('artifacts').values(artifact).execute();
  await store.db
    .insertInto('artifact_blobs')
    .values({ artifact_id: id, hash: Buffer.from(HASH, 'hex') })
    .execute();
  return id;
}

const keysOf = (artifactId: string) => new Set([`manifests/${artifactId}.json`, `blobs/ab/${HASH}`]);
const nothing = new Set<string>();

describe('what an artifact names', () => {
  it('must be there as long as a deployment has it', async () => {
    const artifactId = await createArtifact('whole');
    await createDeployment({ store }, environment, { artifact_id: artifactId });
    const keys = keysOf(artifactId);
    expect(await readObjects(store)).toEqual({ named: keys, needed: keys, abandoned: [] });
  });

  it('may be there while it is packed for a deployment that moves', async () => {
    const artifactId = await createArtifact('packing');
    await createDeployment({ store }, environment, { status: 'building' });
    expect(await readObjects(store)).toEqual({ named: keysOf(artifactId), needed: nothing, abandoned: [] });
  });

  it('is left, as the artifact is, where its environment is gone', async () => {
    const artifactId = await createArtifact('whole', 'env_gone');
    await createDeployment({ store }, environment, { status: 'building' });
    expect(await readObjects(store)).toEqual({
      named: nothing,
      needed: nothing,
      abandoned: [`artifact ${artifactId} of env_gone (whole)`],
    });
  });

  it('is left where no deployment has it and none moves, whether it was packed or not', async () => {
    await createDeployment({ store }, environment);
    const ids = [await createArtifact('packing'), await createArtifact('whole')];
    const { named, abandoned } = await readObjects(store);
    expect(named).toEqual(nothing);
    expect(new Set(abandoned.map((what) => what.split(' ')[1]))).toEqual(new Set(ids));
  });
});

async function keep(status: UploadRow['status']): Promise<UploadRow> {
  return createUpload({ store }, { organisationId: environment.organisation_id, status });
}

const MINUTE_MS = 60_000;

describe('the archive of an upload', () => {
  it('must be there while it waits to be deployed, and as long as what was made of it', async () => {
    const [ready, consumed] = [await keep('ready'), await keep('consumed')];
    await createDeployment({ store }, environment, { upload_id: consumed.id });
    const keys = new Set([ready.storage_path, consumed.storage_path]);
    expect(await readObjects(store)).toEqual({ named: keys, needed: keys, abandoned: [] });
  });

  it('must be there until it is imported', async () => {
    const { id, storage_path } = await keep('consumed');
    const { id: database_id } = await createDatabase(
      { store, keyring },
      { organisationId: environment.organisation_id },
    );
    await store.db.insertInto('database_imports').values({ database_id, upload_id: id, storage_path }).execute();
    const keys = new Set([storage_path]);
    expect(await readObjects(store)).toEqual({ named: keys, needed: keys, abandoned: [] });
  });

  it('may be there while it can be completed, and no longer', async () => {
    const { id, storage_path } = await keep('reserved');
    const readAfter = async (minutes: number) => {
      const expires_at = new Date(Date.now() - minutes * MINUTE_MS);
      await store.db.updateTable('uploads').set({ expires_at }).where('id', '=', id).execute();
      return readObjects(store);
    };
    expect(await readAfter(50)).toEqual({ named: new Set([storage_path]), needed: nothing, abandoned: [] });
    expect(await readAfter(70)).toEqual({ named: nothing, needed: nothing, abandoned: [] });
  });

  it('is left where the upload has expired, though that is remembered', async () => {
    await keep('expired');
    expect(await readObjects(store)).toEqual({ named: nothing, needed: nothing, abandoned: [] });
  });

  it('is left, as the upload is, where it was used for what is gone', async () => {
    const { id } = await keep('consumed');
    expect(await readObjects(store)).toEqual({
      named: nothing,
      needed: nothing,
      abandoned: [`upload ${id} (consumed)`],
    });
  });
});

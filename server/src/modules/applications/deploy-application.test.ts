import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOwner } from '../../testing/factories.ts';
import { openProjectWorld, type ProjectWorld } from './testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const deploy = (body: object) => world.call('/api/applications/deploy', body);

async function createZipped(): Promise<{ id: string; uploadId: string }> {
  const { id: uploadId } = await world.readyUpload();
  const created = await world.call('/api/applications/create-from-upload', {
    name: 'Zipped',
    deploymentType: 'static',
    uploadId,
  });
  return { id: created.body.id, uploadId };
}

async function uploadOf(deploymentId: string): Promise<string | null> {
  const { db } = world.api.store;
  const query = db.selectFrom('deployments').select('upload_id').where('id', '=', deploymentId);
  return (await query.executeTakeFirstOrThrow()).upload_id;
}

describe('POST /api/applications/deploy', () => {
  it('starts a deployment of production, and says so in the activity', async () => {
    const application = await world.create('Deployed');
    const { id: environment_id } = await world.productionOf(application);
    const { status, body } = await deploy({ applicationId: application.id });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^dep_/),
      environment_id,
      status: 'pending',
      commit_sha: null,
      started_at: expect.any(String),
    });
    expect(await world.actionsOf(environment_id)).toEqual(['application_created', 'deployment_started']);
  });

  it('starts one of the environment that is named', async () => {
    const { id: applicationId } = await world.create('Two branches');
    const created = await world.call('/api/environments/create', { applicationId, name: 'next', vcsBranch: 'next' });
    const { body } = await deploy({ applicationId, environmentId: created.body.id });
    expect(body).toMatchObject({ environment_id: created.body.id, status: 'pending' });
  });

  it("404 for an environment of another application, of another organisation, and of nobody's", async () => {
    const [mine, sibling] = [await world.create('Mine'), await world.create('Sibling')];
    const theirs = await world.create('Theirs', {}, await createOwner(world.api));
    const foreign = [(await world.productionOf(sibling)).id, (await world.productionOf(theirs)).id, 'env_unknown'];
    const answers = await Promise.all(
      foreign.map((environmentId) => deploy({ applicationId: mine.id, environmentId })),
    );
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({ status: 404, body: { message: 'Environment not found.', code: 'NF001' } });
    }
  });

  it('deploys a new archive, else the last one, where the source is an upload', async () => {
    const { id: applicationId, uploadId } = await createZipped();
    expect(await uploadOf((await deploy({ applicationId })).body.id)).toBe(uploadId);
    const next = await world.readyUpload();
    expect(await uploadOf((await deploy({ applicationId, uploadId: next.id })).body.id)).toBe(next.id);
    expect(await uploadOf((await deploy({ applicationId })).body.id)).toBe(next.id);
    expect(await deploy({ applicationId, uploadId: next.id })).toMatchObject({ status: 409, body: { code: 'CF001' } });
  });

  it('400 for an archive where the source is a repository, which stays ready', async () => {
    const { id: applicationId } = await world.create('From git');
    const upload = await world.readyUpload();
    const refused = await deploy({ applicationId, uploadId: upload.id });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toContain('uploadId');
  });

  it("404 for another organisation's archive, at the application and at the environment", async () => {
    const { id: applicationId } = await createZipped();
    const { id: environmentId } = await world.productionOf({ id: applicationId });
    const { id: uploadId } = await world.readyUpload(await createOwner(world.api));
    const answers = [
      await deploy({ applicationId, uploadId }),
      await world.call('/api/environments/deploy', { environmentId, uploadId }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'NF001' } });
    const row = world.api.store.db.selectFrom('uploads').select('status').where('id', '=', uploadId);
    expect(await row.executeTakeFirstOrThrow()).toEqual({ status: 'ready' });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApplicationRow } from '../../db/schema.ts';
import { createOwner, createProject } from '../../testing/factories.ts';
import { openVariables } from '../environments/variables.ts';
import { openProjectWorld, type ProjectWorld } from './testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const create = (body: object) =>
  world.call('/api/applications/create-from-upload', { name: 'Zipped', deploymentType: 'static', ...body });

async function stateOf(uploadId: string): Promise<string> {
  const { db } = world.api.store;
  return (await db.selectFrom('uploads').select('status').where('id', '=', uploadId).executeTakeFirstOrThrow()).status;
}

/** From an archive of which this is known. */
async function createFrom(found: object, body: object): Promise<ApplicationRow> {
  const { id: uploadId } = await world.readyUpload();
  const { db } = world.api.store;
  await db
    .updateTable('uploads')
    .set({ detected: JSON.stringify(found) })
    .where('id', '=', uploadId)
    .execute();
  const created = await create({ uploadId, ...body });
  return db.selectFrom('applications').selectAll().where('id', '=', created.body.id).executeTakeFirstOrThrow();
}

describe('POST /api/applications/create-from-upload', () => {
  it('201: spends the archive on the first deployment', async () => {
    const upload = await world.readyUpload();
    const { status, body } = await create({ uploadId: upload.id, environmentVars: { A: '$1' }, outputDirectory: '.' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^app_/),
      name: 'Zipped',
      source_type: 'upload',
      status: 'pending',
      url: 'http://zipped.localhost:7080',
    });
    expect(await stateOf(upload.id)).toBe('consumed');
    const production = await world.productionOf(body);
    expect(openVariables(world.api.keyring, production)).toEqual({ A: '$1' });
    expect(production).toMatchObject({ vcs_branch: null, max_instances: 10, auto_deploy: false });
    const shown = await world.call('/api/applications/get', { applicationId: body.id });
    expect(shown.body).toMatchObject({ vcs_repo_url: null, vcs_branch: null, output_directory: '' });
    const deployments = await world.api.store.db
      .selectFrom('deployments')
      .select(['status', 'upload_id'])
      .where('environment_id', '=', production.id)
      .execute();
    expect(deployments).toEqual([{ status: 'pending', upload_id: upload.id }]);
  });

  it('fills what is not given with the hints of the upload, and shows what was seen in it', async () => {
    const detected = {
      framework: 'vite',
      runtime: null,
      deploymentType: 'static',
      buildCommand: 'seen',
      outputDirectory: 'seen',
    };
    const hints = { framework: 'astro', buildCommand: 'make', outputDirectory: './site/' };
    expect(await createFrom({ ...detected, hints }, { buildCommand: 'mine' })).toMatchObject({
      framework: 'astro',
      is_framework_given: true,
      build_command: 'mine',
      output_directory: 'site',
    });
    expect(await createFrom({ ...detected, hints: {} }, {})).toMatchObject({
      framework: 'vite',
      is_framework_given: false,
      build_command: null,
      output_directory: null,
    });
  });

  it('keeps the folder of a monorepo that is deployed; what was seen at its root is not shown for it', async () => {
    const found = { framework: 'turbo', hints: {} };
    expect(await createFrom(found, { rootDirectory: './apps//web/' })).toMatchObject({
      root_directory: 'apps/web',
      framework: 'react',
      is_framework_given: false,
    });
    expect(await createFrom(found, { rootDirectory: '.' })).toMatchObject({ root_directory: null, framework: 'turbo' });
  });

  it('404 for an upload or a folder of another organisation, which stay as they were', async () => {
    const other = await createOwner(world.api);
    const [theirs, ours] = [await world.readyUpload(other), await world.readyUpload()];
    const folder = await createProject(world.api, other);
    expect(await create({ uploadId: theirs.id })).toMatchObject({ status: 404, body: { code: 'NF001' } });
    const refused = await create({ uploadId: ours.id, projectId: folder.id });
    expect(refused).toMatchObject({ status: 404, body: { code: 'NF001', message: 'Folder not found.' } });
    expect([await stateOf(theirs.id), await stateOf(ours.id)]).toEqual(['ready', 'ready']);
  });

  it('409 for an archive that is spent already; of two at the same moment one gets it', async () => {
    const upload = await world.readyUpload();
    const answers = await Promise.all([create({ uploadId: upload.id }), create({ uploadId: upload.id })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(await create({ uploadId: upload.id })).toMatchObject({ status: 409, body: { code: 'CF001' } });
  });

  it('400 when the deployment type is missing, and for a folder that leads out', async () => {
    const { id: uploadId } = await world.readyUpload();
    for (const body of [
      { deploymentType: undefined },
      { outputDirectory: '../x' },
      { rootDirectory: '/x' },
      { framework: 'Not A Slug' },
      { framework: 'nextjss' },
    ]) {
      expect(await create({ uploadId, ...body })).toMatchObject({ status: 400, body: { code: 'VA001' } });
    }
    expect(await stateOf(uploadId)).toBe('ready');
  });
});

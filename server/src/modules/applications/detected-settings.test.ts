import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsOf } from '../deployments/build-subject.ts';
import { holdEnvironment, noteDetected } from '../deployments/deployment-store.ts';
import { openProjectWorld, type ProjectWorld } from './testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The application after builds that found these, and what the next build is told. */
async function afterBuilds(settings: object, runtimes: readonly string[]) {
  const application = await world.create('Detected', { deploymentType: 'container', ...settings });
  const environment = await world.productionOf(application);
  return world.api.store.db.transaction().execute(async (tx) => {
    for (const runtime of runtimes) await noteDetected(tx, application.id, { framework: 'express', runtime });
    const held = (await holdEnvironment(tx, environment.id))!;
    return { shown: held.application, next: settingsOf(held) };
  });
}

describe('what a build detects', () => {
  it('is shown, is no setting of the next build, and follows the source', async () => {
    const { shown, next } = await afterBuilds({}, ['node22', 'node24']);
    expect(shown).toMatchObject({ framework: 'express', runtime: 'node24', is_runtime_given: false });
    expect(next).toMatchObject({ framework: null, runtime: null });
  });

  it('does not replace what was given', async () => {
    const { shown, next } = await afterBuilds({ framework: 'fastify', runtime: 'node20' }, ['node24']);
    expect(shown).toMatchObject({ framework: 'fastify', runtime: 'node20', is_runtime_given: true });
    expect(next).toMatchObject({ framework: 'fastify', runtime: 'node20' });
  });
});

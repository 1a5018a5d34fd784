import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import { expect } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { createMember, unique, type TestOwner } from '../../../testing/factories.ts';
import type { ProjectWorld } from '../../applications/testing/project-world.ts';

export type Things = ReturnType<typeof thingsOf>;

/** Calls by an endpoint's name, and new things to do something with. The world is opened later. */
export function thingsOf(world: () => ProjectWorld) {
  async function call(name: EndpointName, body: object, who: TestOwner = world().owner) {
    const declaration = declarationOf(name);
    const answer = await world().call(declaration.path, body, who);
    expect([name, answer.status, answer.status === declaration.status ? '' : answer.text]).toEqual([
      name,
      declaration.status,
      '',
    ]);
    return answer.body;
  }

  async function newApplication() {
    const name = unique('App');
    const application = await world().create(name);
    const environment = await world().productionOf(application);
    return { applicationId: application.id, environmentId: environment.id, name, subject: `${name} / production` };
  }

  const newMember = async () => {
    const { userId, email } = await createMember(world().api, { organisationId: world().owner.organisationId });
    return { userId, email };
  };

  const newFolder = async () => {
    const name = unique('Folder');
    return { projectId: (await call('projects.create', { name })).id as string, name };
  };

  const newInvitation = async () => {
    const email = `${unique('guest')}@example.org`;
    const { id, url } = await call('organisations.invite', { email });
    return { email, invitationId: id as string, invitationToken: (url as string).split('#')[1]! };
  };

  async function newDatabase() {
    const name = unique('Database');
    const { id: databaseId } = await call('databases.create', { name });
    const status = async () => (await call('databases.status', { databaseId })).status as string;
    await eventually('it is healthy', async () => (await status()) === 'healthy');
    return { databaseId: databaseId as string, name };
  }

  return { call, newApplication, newMember, newFolder, newInvitation, newDatabase };
}

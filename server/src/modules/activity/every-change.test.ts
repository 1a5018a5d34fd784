import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser, unique } from '../../testing/factories.ts';
import { openProjectWorld, type ProjectWorld } from '../applications/testing/project-world.ts';
import { databaseWorkOf, type DatabaseWork } from '../databases/testing/database-work.ts';
import { createStandInEngine } from '../databases/testing/stand-in-engine.ts';
import { createStandInHosts } from '../vcs/testing/stand-in-hosts.ts';
import { vcsDeeds } from '../vcs/testing/vcs-deeds.ts';
import { applicationDeeds } from './testing/application-deeds.ts';
import { databaseDeeds } from './testing/database-deeds.ts';
import { SECRET, type Deeds, type Told } from './testing/deed.ts';
import { organisationDeeds } from './testing/organisation-deeds.ts';
import { thingsOf } from './testing/things.ts';

let world: ProjectWorld;
let databases: DatabaseWork;
const vcsHosts = createStandInHosts();
beforeAll(async () => {
  const engines = { postgresql: createStandInEngine('postgresql'), mysql: createStandInEngine('mysql') };
  world = await openProjectWorld({ engines, vcsHosts });
  databases = databaseWorkOf(world.api, engines);
  await databases.work();
});
afterAll(async () => {
  await databases[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** What changes nothing that an organisation's people would look for. */
const untold: Partial<Record<EndpointName, string>> = {
  'upload.request-url': 'an archive is nothing until it is deployed, and that is told',
  'upload.complete': 'the same',
  'upload.cleanup': 'the same: only archives that nobody deployed go',
  'organisations.delete': 'its activity goes with it',
  'vcs-app.sync-installations': 'what it finds gone was removed at the host, by whomever: the platform tells it',
};

const things = thingsOf(() => world);
const { call, newApplication, newFolder, newInvitation, newMember } = things;

const deeds: Deeds = {
  ...vcsDeeds(() => ({ api: world.api, owner: world.owner, hosts: vcsHosts })),
  ...organisationDeeds(things),
  ...applicationDeeds(() => world, things),
  ...databaseDeeds(() => world, things),
};

const newest = async (limit = 3, who = world.owner) =>
  (await call('organisations.activity', { limit }, who)) as (Told & {
    id: string;
    actor_email: string;
    application_id: string | null;
    environment_id: string | null;
    database_id: string | null;
    deployment_id: string | null;
  })[];

/** It is about an organisation, and does more than read. */
function changesSomething(name: EndpointName): boolean {
  const { method, organisation, permission, mcp } = declarationOf(name);
  if (organisation === null || method === 'GET') return false;
  return (!mcp?.readOnly && !permission?.startsWith('read:')) || name in deeds;
}

describe('the activity of an organisation', () => {
  it('is told of every endpoint that changes something, but for a few', () => {
    const told = Object.keys(deeds);
    expect(told.filter((name) => name in untold)).toEqual([]);
    expect(endpointNames.filter(changesSomething).toSorted()).toEqual([...told, ...Object.keys(untold)].toSorted());
  });

  it.each(Object.keys(deeds) as EndpointName[])('has one entry for %s: who, what and when, no value', async (name) => {
    const { prepare = () => Promise.resolve({}), act } = deeds[name]!;
    const prepared = await prepare();
    const before = (await newest(1))[0]!.id;
    const { action, subject } = await act(prepared);
    const [entry, previous] = await newest();
    expect(entry).toMatchObject({ action, subject, actor_email: world.owner.email });
    expect(previous!.id).toBe(before);
    expect(entry!.database_id?.startsWith('db_') ?? false).toBe(action.startsWith('database_'));
    expect(entry!.deployment_id?.startsWith('dep_') ?? false).toBe(/^deployment_|^application_created$/.test(action));
    expect(JSON.stringify(entry)).not.toContain(SECRET);
  });
});

describe('what somebody does to become a member', () => {
  it('is told by who joins, with an account and without one, and by who leaves', async () => {
    const { invitationToken, email } = await newInvitation();
    const registration = { invitationToken, password: 'correct horse battery', firstName: 'G' };
    const registered = await world.api.call('/api/auth/register', { body: registration });
    expect(registered.status).toBeLessThan(300);
    expect((await newest(1))[0]).toMatchObject({ action: 'member_joined', subject: email, actor_email: email });

    const friend = await createUser(world.api);
    const { url } = await call('organisations.invite', { email: friend.email });
    const token = (url as string).split('#')[1];
    const accept = { token: friend.token, body: { invitationToken: token } };
    expect((await world.api.call('/api/organisations/invitations/accept', accept)).status).toBe(200);
    const theirs = { subject: friend.email, actor_email: friend.email };
    expect((await newest(1))[0]).toMatchObject({ action: 'member_joined', ...theirs });

    const member = { ...friend, organisationId: world.owner.organisationId };
    await call('organisations.members.remove', { userId: friend.userId }, member);
    expect((await newest(1))[0]).toMatchObject({ action: 'member_left', ...theirs });
  });

  it('begins with the organisation itself', async () => {
    const person = await createUser(world.api);
    const created = await world.api.call('/api/organisations/create', { token: person.token, body: { name: 'Mine' } });
    const owner = { ...person, organisationId: created.body.id as string };
    expect(await newest(10, owner)).toEqual([
      {
        id: expect.stringMatching(/^act_/),
        action: 'organisation_created',
        actor_email: person.email,
        created_at: expect.any(String),
        application_id: null,
        environment_id: null,
        database_id: null,
        deployment_id: null,
        subject: 'Mine',
      },
    ]);
  });
});

describe('the list', () => {
  it('leaves no trace of what was so already', async () => {
    const { applicationId, environmentId, name } = await newApplication();
    const { projectId, name: folder } = await newFolder();
    const { userId } = await newMember();
    const { id: keyId } = await call('api-keys.create', { name: 'Twice' });
    await call('api-keys.revoke', { keyId });
    const before = (await newest(1))[0]!.id;
    await call('api-keys.revoke', { keyId });
    await call('projects.rename', { projectId, name: folder });
    await call('organisations.members.update', { userId, role: 'user' });
    await call('environments.access-log', { environmentId, enabled: false });
    await call('applications.rename', { applicationId, name });
    expect((await newest(1))[0]!.id).toBe(before);
  });

  it('has a renamed application once, though each environment shows it', async () => {
    const { applicationId, environmentId } = await newApplication();
    const { id } = await call('environments.create', { applicationId, name: 'preview', vcsBranch: 'next' });
    await call('applications.rename', { applicationId, name: unique('Twice') });
    expect((await newest(2)).map(({ action }) => action)).toEqual(['application_renamed', 'environment_created']);
    for (const environment of [environmentId, id as string]) {
      expect((await world.actionsOf(environment)).at(-1)).toBe('application_renamed');
    }
  });

  it('keeps to its organisation, and to people: a key may not read it', async () => {
    const { secret } = await call('api-keys.create', { name: 'Reader', role: 'admin' });
    const answer = await world.api.call('/api/organisations/activity', { token: secret as string, body: {} });
    expect(answer.status).toBe(403);
    const person = await createUser(world.api);
    const body = { targetOrganisationId: world.owner.organisationId };
    const refused = await world.api.call('/api/organisations/activity', { token: person.token, body });
    expect(refused.status).toBe(403);
  });
});

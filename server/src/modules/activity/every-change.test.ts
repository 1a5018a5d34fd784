import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { createDeployment, createMember, createUser, unique, type TestOwner } from '../../testing/factories.ts';
import { openProjectWorld, type ProjectWorld } from '../applications/testing/project-world.ts';
import { databaseWorkOf, type DatabaseWork } from '../databases/testing/database-work.ts';
import { createStandInEngine } from '../databases/testing/stand-in-engine.ts';
import { createStandInHosts } from '../vcs/testing/stand-in-hosts.ts';
import { vcsDeeds } from '../vcs/testing/vcs-deeds.ts';

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

interface Told {
  action: string;
  subject: string | null;
}

interface Deed {
  /** What is there before it is done. */
  prepare?: () => Promise<object>;
  /** Does it, with what was prepared; answers what the activity must say. */
  act: (prepared: any) => Promise<Told>; // oxlint-disable-line typescript/no-explicit-any -- whatever was prepared
}

const SECRET = 'S3CR3T-VALUE';

async function call(name: EndpointName, body: object, who: TestOwner = world.owner) {
  const declaration = declarationOf(name);
  const answer = await world.call(declaration.path, body, who);
  expect([name, answer.status, answer.status === declaration.status ? '' : answer.text]).toEqual([
    name,
    declaration.status,
    '',
  ]);
  return answer.body;
}

async function newApplication() {
  const name = unique('App');
  const application = await world.create(name);
  const environment = await world.productionOf(application);
  return { applicationId: application.id, environmentId: environment.id, name, subject: `${name} / production` };
}

const newMember = async () => {
  const { userId, email } = await createMember(world.api, { organisationId: world.owner.organisationId });
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

const ofDatabase = (name: EndpointName, action: string, body: object = {}): Deed => ({
  prepare: newDatabase,
  act: async ({ databaseId, name: subject }) => {
    await call(name, { databaseId, ...body });
    return { action, subject };
  },
});

/** A backup that was written; its file is no matter here. */
async function newBackup() {
  const database = await newDatabase();
  const backup = {
    id: unique('bak'),
    database_id: database.databaseId,
    organisation_id: world.owner.organisationId,
    purpose: 'manual',
    status: 'ready',
    object_key: 'backups/one',
    size: 1,
    sha256: 'x',
  } as const;
  await world.api.store.db.insertInto('database_backups').values(backup).execute();
  return { ...database, backupId: backup.id };
}

async function newDump() {
  const id = unique('upl');
  const upload = {
    id,
    organisation_id: world.owner.organisationId,
    status: 'ready',
    file_name: 'dump.sql',
    content_type: 'application/sql',
    storage_path: `uploads/${id}.sql`,
    expires_at: new Date(Date.now() + 3_600_000),
  } as const;
  await world.api.store.db.insertInto('uploads').values(upload).execute();
  return { ...(await newDatabase()), uploadId: id };
}

const ofEnvironment = (name: EndpointName, action: string, body: object = {}): Deed => ({
  prepare: newApplication,
  act: async ({ environmentId, subject }) => {
    await call(name, { environmentId, ...body });
    return { action, subject };
  },
});

/** An environment, that has a domain of its own or has none yet. */
const ofDomain = (
  name: EndpointName,
  action: string,
  { has = true, field }: { has?: boolean; field?: string } = {},
): Deed => ({
  prepare: async () => {
    const application = await newApplication();
    const { environmentId } = application;
    const domain = `${unique('had')}.example.org`.toLowerCase();
    if (has) await call('applications.add-domain', { environmentId, domain });
    return { ...application, domain };
  },
  act: async ({ environmentId, subject, domain: had }) => {
    const domain = field ? `${unique('wanted')}.example.org`.toLowerCase() : had;
    await call(name, { environmentId, ...(field && { [field]: domain }) });
    return { action, subject: `${subject}: ${domain}` };
  },
});

const deeds: Partial<Record<EndpointName, Deed>> = {
  ...vcsDeeds(() => ({ api: world.api, owner: world.owner, hosts: vcsHosts })),
  'api-keys.create': {
    act: async () => {
      await call('api-keys.create', { name: 'CI' });
      return { action: 'api_key_created', subject: 'CI' };
    },
  },
  'api-keys.revoke': {
    prepare: () => call('api-keys.create', { name: 'Old' }) as Promise<object>,
    act: async ({ id }) => {
      await call('api-keys.revoke', { keyId: id });
      return { action: 'api_key_revoked', subject: 'Old' };
    },
  },
  'organisations.update': {
    act: async () => {
      const name = unique('Renamed');
      await call('organisations.update', { name });
      return { action: 'organisation_renamed', subject: name };
    },
  },
  'organisations.plan': {
    prepare: () => call('organisations.update', { name: 'Acme' }) as Promise<object>,
    act: async () => {
      await call('organisations.plan', { plan: 'enterprise' });
      return { action: 'plan_updated', subject: 'Acme' };
    },
  },
  'organisations.members.update': {
    prepare: newMember,
    act: async ({ userId, email }) => {
      await call('organisations.members.update', { userId, role: 'admin' });
      return { action: 'member_role_updated', subject: email };
    },
  },
  'organisations.members.remove': {
    prepare: newMember,
    act: async ({ userId, email }) => {
      await call('organisations.members.remove', { userId });
      return { action: 'member_removed', subject: email };
    },
  },
  'organisations.invite': {
    act: async () => {
      await call('organisations.invite', { email: 'new@example.org' });
      return { action: 'member_invited', subject: 'new@example.org' };
    },
  },
  'organisations.invitations.revoke': {
    prepare: newInvitation,
    act: async ({ invitationId, email }) => {
      await call('organisations.invitations.revoke', { invitationId });
      return { action: 'invitation_revoked', subject: email };
    },
  },
  'projects.create': {
    act: async () => ({ action: 'folder_created', subject: (await newFolder()).name }),
  },
  'projects.rename': {
    prepare: newFolder,
    act: async ({ projectId }) => {
      const name = unique('Other');
      await call('projects.rename', { projectId, name });
      return { action: 'folder_renamed', subject: name };
    },
  },
  'projects.delete': {
    prepare: newFolder,
    act: async ({ projectId, name }) => {
      await call('projects.delete', { projectId });
      return { action: 'folder_deleted', subject: name };
    },
  },
  'applications.create': {
    act: async () => ({ action: 'application_created', subject: (await newApplication()).name }),
  },
  'applications.create-from-upload': {
    prepare: () => world.readyUpload(),
    act: async ({ id }) => {
      const name = unique('Archive');
      await call('applications.create-from-upload', { name, uploadId: id, deploymentType: 'static' });
      return { action: 'application_created', subject: name };
    },
  },
  'applications.deploy': {
    prepare: newApplication,
    act: async ({ applicationId, environmentId, subject }) => {
      await call('applications.deploy', { applicationId, environmentId });
      return { action: 'deployment_started', subject };
    },
  },
  'applications.rename': {
    prepare: async () => {
      const application = await newApplication();
      const { applicationId } = application;
      await call('environments.create', { applicationId, name: 'preview', vcsBranch: 'next' });
      return application;
    },
    act: async ({ applicationId }) => {
      const name = unique('Renamed');
      await call('applications.rename', { applicationId, name });
      return { action: 'application_renamed', subject: name };
    },
  },
  'applications.update': {
    prepare: newApplication,
    act: async ({ applicationId, name }) => {
      await call('applications.update', { applicationId, autoDeployOnPush: true });
      return { action: 'application_updated', subject: name };
    },
  },
  'applications.move': {
    prepare: async () => ({ ...(await newFolder()), ...(await newApplication()) }),
    act: async ({ applicationId, projectId, name }) => {
      await call('applications.move', { applicationId, targetFolderId: projectId });
      return { action: 'application_moved', subject: name };
    },
  },
  'applications.delete': {
    prepare: newApplication,
    act: async ({ applicationId, name }) => {
      await call('applications.delete', { applicationId });
      return { action: 'application_deleted', subject: name };
    },
  },
  'applications.add-domain': ofDomain('applications.add-domain', 'custom_domain_updated', {
    has: false,
    field: 'domain',
  }),
  'applications.update-domain': ofDomain('applications.update-domain', 'custom_domain_updated', { field: 'newDomain' }),
  'applications.retry-domain': ofDomain('applications.retry-domain', 'custom_domain_retried'),
  'applications.remove-domain': ofDomain('applications.remove-domain', 'custom_domain_removed'),
  'environments.add-domain': ofDomain('environments.add-domain', 'custom_domain_updated', {
    has: false,
    field: 'domain',
  }),
  'environments.retry-domain': ofDomain('environments.retry-domain', 'custom_domain_retried'),
  'environments.create': {
    prepare: newApplication,
    act: async ({ applicationId, name }) => {
      await call('environments.create', { applicationId, name: 'preview', vcsBranch: 'next' });
      return { action: 'environment_created', subject: `${name} / preview` };
    },
  },
  'environments.update': ofEnvironment('environments.update', 'environment_vars_updated', {
    environmentVars: { TOKEN: SECRET },
  }),
  'environments.scale': ofEnvironment('environments.scale', 'scaling_updated', { maxInstances: 3 }),
  'environments.password': ofEnvironment('environments.password', 'password_set', { enabled: true, password: SECRET }),
  'environments.access-log': ofEnvironment('environments.access-log', 'access_log_enabled', { enabled: true }),
  'environments.deploy': ofEnvironment('environments.deploy', 'deployment_started'),
  'environments.delete': {
    prepare: async () => {
      const { applicationId, name } = await newApplication();
      const { id } = await call('environments.create', { applicationId, name: 'old', vcsBranch: 'next' });
      return { environmentId: id, name };
    },
    act: async ({ environmentId, name }) => {
      await call('environments.delete', { environmentId });
      return { action: 'environment_deleted', subject: `${name} / old` };
    },
  },
  'databases.create': {
    act: async () => {
      const name = unique('Database');
      await call('databases.create', { name, adminPassword: SECRET });
      return { action: 'database_created', subject: name };
    },
  },
  'databases.update': ofDatabase('databases.update', 'database_updated', { storageGb: 20 }),
  'databases.rotate-password': ofDatabase('databases.rotate-password', 'database_password_rotated', {
    newPassword: SECRET,
  }),
  'databases.provision': {
    prepare: async () => {
      const database = await newDatabase();
      await world.api.store.db
        .updateTable('databases')
        .set({ status: 'failed' })
        .where('id', '=', database.databaseId)
        .execute();
      return database;
    },
    act: async ({ databaseId, name }) => {
      await call('databases.provision', { databaseId });
      return { action: 'database_provisioned', subject: name };
    },
  },
  'databases.import': {
    prepare: newDump,
    act: async ({ databaseId, uploadId, name }) => {
      await call('databases.import', { databaseId, uploadId });
      return { action: 'database_import_started', subject: name };
    },
  },
  'databases.backup': ofDatabase('databases.backup', 'database_backed_up'),
  'databases.restore': {
    prepare: newBackup,
    act: async ({ databaseId, backupId }) => {
      const name = unique('Restored');
      await call('databases.restore', { databaseId, backupId, name });
      return { action: 'database_restored', subject: name };
    },
  },
  'databases.move': {
    prepare: async () => ({ ...(await newFolder()), ...(await newDatabase()) }),
    act: async ({ databaseId, projectId, name }) => {
      await call('databases.move', { databaseId, targetFolderId: projectId });
      return { action: 'database_moved', subject: name };
    },
  },
  'databases.connect': {
    prepare: async () => ({ ...(await newApplication()), ...(await newDatabase()) }),
    act: async ({ databaseId, environmentId, name }) => {
      await call('databases.connect', { databaseId, environmentId });
      return { action: 'database_connected', subject: name };
    },
  },
  'databases.disconnect': {
    prepare: async () => {
      const both = { ...(await newApplication()), ...(await newDatabase()) };
      await call('databases.connect', { databaseId: both.databaseId, environmentId: both.environmentId });
      return both;
    },
    act: async ({ databaseId, environmentId, name }) => {
      await call('databases.disconnect', { databaseId, environmentId });
      return { action: 'database_disconnected', subject: name };
    },
  },
  'databases.delete': ofDatabase('databases.delete', 'database_deleted'),
  'databases.explorer.row': ofDatabase('databases.explorer.row', 'database_row_changed', {
    table: 'notes',
    operation: 'insert',
    values: { text: SECRET },
  }),
  'databases.explorer.table': ofDatabase('databases.explorer.table', 'database_table_changed', {
    table: 'notes',
    operation: 'drop',
  }),
  'databases.explorer.query': ofDatabase('databases.explorer.query', 'database_statement_run', {
    statement: `select '${SECRET}'`,
    readOnly: false,
  }),
  'deployments.cancel': {
    prepare: newApplication,
    act: async ({ environmentId, subject }) => {
      const [{ id }] = (await call('deployments.list', { environmentId })) as [{ id: string }];
      await call('deployments.cancel', { deploymentId: id });
      return { action: 'deployment_cancelled', subject };
    },
  },
  'deployments.rollback': {
    prepare: async () => {
      const application = await newApplication();
      const { id: artifactId } = await world.api.store.db
        .insertInto('artifacts')
        .values({
          id: unique('art'),
          organisation_id: world.owner.organisationId,
          environment_id: application.environmentId,
          kind: 'static',
          state: 'whole',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const environment = await world.productionOf({ id: application.applicationId });
      const { id } = await createDeployment(world.api, environment, { artifact_id: artifactId });
      return { ...application, deploymentId: id };
    },
    act: async ({ environmentId, deploymentId, subject }) => {
      await call('deployments.rollback', { environmentId, deploymentId });
      return { action: 'deployment_rolled_back', subject };
    },
  },
};

const newest = async (limit = 3, who = world.owner) =>
  (await call('organisations.activity', { limit }, who)) as (Told & {
    id: string;
    actor_email: string;
    application_id: string | null;
    environment_id: string | null;
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

import { attempt } from '../attempt.ts';
import type { Scene } from '../scene.ts';
import { choose, leftUndone, type Act } from './act.ts';

/** Databases and applications that come and go; folders only come. */
const MOST = { databases: 2, applications: 3 };

export const createDatabase: Act = (scene, { number, roll }) =>
  create(scene, {
    kind: 'databases',
    name: `database ${number}`,
    work: (name) => scene.databases.create(name, { databaseType: choose(typesOf(scene), { roll })! }),
  });

export const dropDatabase: Act = (scene, step) =>
  remove(scene, {
    kind: 'databases',
    name: choose([...scene.passing.databases.keys()], step),
    work: (databaseId) =>
      scene.deployer.client.call('databases.delete', {
        body: { targetOrganisationId: scene.deployer.targetOrganisationId, databaseId, force: true },
      }),
  });

export const createApplication: Act = (scene, { number }) =>
  create(scene, {
    kind: 'applications',
    name: `application ${number}`,
    work: async (name) => {
      const { deployer } = scene;
      const { client, targetOrganisationId } = deployer;
      const uploadId = await deployer.upload({ 'index.html': name });
      const body = { targetOrganisationId, name, uploadId, deploymentType: 'static' as const };
      const { id, url } = await client.call('applications.create-from-upload', { body });
      scene.addresses.add(url);
      return id;
    },
  });

export const deleteApplication: Act = (scene, step) =>
  remove(scene, {
    kind: 'applications',
    name: choose([...scene.passing.applications.keys()], step),
    work: (applicationId) =>
      scene.deployer.client.call('applications.delete', {
        body: { targetOrganisationId: scene.deployer.targetOrganisationId, applicationId },
      }),
  });

export const createFolder: Act = async (scene, { number }) => {
  const { client, targetOrganisationId } = scene.deployer;
  const name = `folder ${number}`;
  const asked = scene.ledger.ask(name, 'there');
  const { kind } = await attempt(scene, { about: name, what: 'create' }, () =>
    client.call('projects.create', { body: { targetOrganisationId, name } }),
  );
  if (kind === 'acknowledged') asked.acknowledged();
  if (kind === 'refused') asked.refused();
  return kind === 'acknowledged';
};

const typesOf = ({ kept }: Scene) => kept.map(({ type }) => type);

interface Creation {
  kind: keyof typeof MOST;
  name: string;
  work: (name: string) => Promise<string>;
}

async function create(scene: Scene, { kind, name, work }: Creation): Promise<boolean> {
  const there = scene.passing[kind];
  if (there.size >= MOST[kind]) return leftUndone(scene, name, 'create: there are enough');
  const asked = scene.ledger.ask(name, 'there');
  const outcome = await attempt(scene, { about: name, what: 'create' }, () => work(name));
  if (outcome.kind === 'refused') asked.refused();
  if (outcome.kind !== 'acknowledged') return false;
  asked.acknowledged();
  there.set(name, outcome.answer);
  return true;
}

interface Removal {
  kind: keyof typeof MOST;
  name: string | undefined;
  work: (id: string) => Promise<unknown>;
}

/** One whose removal nobody answered is asked for again, by chance; that it is gone already is fine then. */
async function remove(scene: Scene, { kind, name, work }: Removal): Promise<boolean> {
  const there = scene.passing[kind];
  if (name === undefined) return leftUndone(scene, kind, 'remove: there are none');
  const isAskedAgain = scene.ledger.allowed(name).includes('gone');
  const asked = scene.ledger.ask(name, 'gone');
  const options = { about: name, what: `remove ${there.get(name)}`, mayRefuse: isAskedAgain ? [404, 409] : [] };
  const outcome = await attempt(scene, options, () => work(there.get(name)!));
  if (outcome.kind === 'unknown') return false;
  if (outcome.kind === 'refused' && !isAskedAgain) {
    asked.refused();
    return false;
  }
  asked.acknowledged();
  there.delete(name);
  return true;
}

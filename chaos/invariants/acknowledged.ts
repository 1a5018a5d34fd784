import { lostWrites } from '../../e2e/database-load.ts';
import { connectTo } from '../../e2e/databases.ts';
import { readFolders } from '../../e2e/acknowledged-writes.ts';
import type { Scene, Subject } from '../scene.ts';
import type { Check, Invariant, Problem } from './problem.ts';

const NAME = 'no acknowledged change is lost, and none is made twice';

export const isKept: Invariant = async (check) => {
  const found = await Promise.all([
    settingsKept(check),
    thingsKept(check),
    rowsKept(check),
    ...[check.scene.site, check.scene.server, check.scene.sleeper].map((subject) => deploymentsKept(check, subject)),
  ]);
  return found.flat();
};

const problem = (about: string, what: string): Problem => ({ invariant: NAME, about, what });

/** Variables, the range and the name are as they were last acknowledged. */
async function settingsKept({ scene }: Check): Promise<Problem[]> {
  const { deployer, server, sleeper } = scene;
  const { client, targetOrganisationId } = deployer;
  const { environmentId } = server;
  const environment = await client.call('environments.get', { body: { targetOrganisationId, environmentId } });
  const { name } = await client.call('applications.get', { body: { targetOrganisationId, applicationId: sleeper.id } });
  return [
    ...differs(scene, { key: 'variables', about: 'server', found: environment.environment_vars.CHAOS ?? null }),
    ...differs(scene, {
      key: 'scale',
      about: 'server',
      found: `${environment.min_instances}-${environment.max_instances}`,
    }),
    ...(scene.ledger.keys('name').length > 0 ? differs(scene, { key: 'name', about: 'sleeper', found: name }) : []),
  ];
}

function differs(
  { ledger }: Scene,
  { key, about, found }: { key: string; about: string; found: string | null },
): Problem[] {
  const allowed = ledger.allowed(key);
  return allowed.includes(found)
    ? []
    : [problem(about, `${key}: found "${found}", and what was promised is ${JSON.stringify(allowed)}`)];
}

/** Folders, applications and databases are there or gone, and there once. */
async function thingsKept({ scene }: Check): Promise<Problem[]> {
  const { deployer, ledger, handle } = scene;
  const { client, targetOrganisationId } = deployer;
  const body = { targetOrganisationId, limit: 100 };
  // A hundred of each is more than a run makes, but of folders.
  const applications = (await client.call('applications.list', { body })).items.map(({ name }) => name);
  const databases = (await client.call('databases.list', { body })).items.map(({ name }) => name);
  const folders = await readFolders(handle.current().url, { token: scene.token, organisationId: targetOrganisationId });
  const names = [...applications, ...databases, ...folders];
  return ['application ', 'database ', 'folder '].flatMap((prefix) =>
    ledger.keys(prefix).flatMap((key) => {
      const count = names.filter((name) => name === key).length;
      const found = count > 0 ? 'there' : ledger.allowed(key).includes(null) ? null : 'gone';
      return [
        ...differs(scene, { key, about: key, found }),
        ...(count > 1 ? [problem(key, `it is there ${count} times`)] : []),
      ];
    }),
  );
}

/** Every row that a database acknowledged is in it, once. */
async function rowsKept({ scene }: Check): Promise<Problem[]> {
  const found = await Promise.all(
    scene.kept.map(async ({ id, url, writes }) => {
      const lost = await lostWrites(url, writes);
      const connection = await connectTo(url);
      const [[count]] = (await connection.query('select count(*) from acknowledged')) as [[unknown]];
      await connection.close();
      scene.events.tell(id, `${Number(count)} rows, ${writes.acknowledged.length} acknowledged`);
      return lost.length === 0 ? [] : [problem(id, `${lost.length} rows are lost: ${lost.slice(0, 5).join(', ')}`)];
    }),
  );
  return found.flat();
}

/** Half of those that are kept of each environment: what was never acknowledged counts there too. */
const NEWEST = 10;

async function deploymentsKept({ scene, peek }: Check, subject: Subject): Promise<Problem[]> {
  const { ledger, deployer } = scene;
  const { client, targetOrganisationId } = deployer;
  const { environmentId, part } = subject;
  const asked = ledger.deployments(environmentId);
  const listed = await client.call('deployments.list', { body: { targetOrganisationId, environmentId, limit: 100 } });
  const byId = new Map(listed.map((deployment) => [deployment.id, deployment]));
  const route = (await peek.routes()).find((each) => each.environmentId === environmentId);
  const live = asked.find(({ id }) => id !== null && id === route?.liveDeploymentId)?.words ?? null;
  const newest = asked.filter(({ id }) => id !== null).slice(-NEWEST);
  const last = asked.findLast(({ words }) => words === ledger.allowed(`live ${environmentId}`)[0]);
  const hasLastFailed = ['failed', 'cancelled'].includes(byId.get(last?.id ?? '')?.status ?? '');
  const isDoubtful = asked.some(({ id }) => id === null && ledger.allowed(`live ${environmentId}`).length > 1);
  return [
    ...newest.flatMap(({ id, words }) =>
      byId.has(id!) ? [] : [problem(part, `deployment ${id} ("${words}") is lost`)],
    ),
    ...(listed.length > asked.length ? [problem(part, `${listed.length} deployments, ${asked.length} asked for`)] : []),
    ...(hasLastFailed || isDoubtful ? [] : differs(scene, { key: `live ${environmentId}`, about: part, found: live })),
  ];
}

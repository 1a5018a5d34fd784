import { listFolders } from '../../e2e/acknowledged-writes.ts';
import { lostWrites } from '../../e2e/database-load.ts';
import { connectTo } from '../../e2e/databases.ts';
import { readName, readScale, readStorage, readVariables } from '../read-settings.ts';
import { deploymentsKept } from './deployments-kept.ts';
import { differs, keptProblem as problem } from './kept-problem.ts';
import type { Check, Invariant, Problem } from './problem.ts';

export const isKept: Invariant = async (check) => {
  const { site, server, sleeper, watch } = check.scene;
  await watch.look();
  const found = await Promise.all([
    settingsKept(check),
    thingsKept(check),
    storageKept(check),
    rowsKept(check),
    ...[site, server, sleeper].map((subject) => deploymentsKept(check, subject)),
  ]);
  // Those that a later change has covered since.
  return [...check.scene.losses, ...found.flat()];
};

/** Variables, the range and the name are as they were last acknowledged. */
async function settingsKept({ scene }: Check): Promise<Problem[]> {
  const { ledger } = scene;
  return [
    ...differs(ledger, { key: 'variables', about: 'server', found: await readVariables(scene) }),
    ...differs(ledger, { key: 'scale', about: 'server', found: await readScale(scene) }),
    ...differs(ledger, { key: 'name', about: 'sleeper', found: await readName(scene) }),
  ];
}

/** Folders, applications and databases are there or gone, and there once. */
export async function thingsKept({ scene }: Pick<Check, 'scene'>): Promise<Problem[]> {
  const { deployer, ledger, handle } = scene;
  const { client, targetOrganisationId } = deployer;
  const body = { targetOrganisationId, limit: 100 };
  // A hundred of each is more than a run makes, but of folders.
  const applications = (await client.call('applications.list', { body })).items.map(({ name }) => name);
  const databases = (await client.call('databases.list', { body })).items.map(({ name }) => name);
  const folders = await listFolders(handle.current().url, { token: scene.token, organisationId: targetOrganisationId });
  const names = [...applications, ...databases, ...folders];
  return ['application ', 'database ', 'folder '].flatMap((prefix) =>
    ledger.keys(prefix).flatMap((key) => {
      const count = names.filter((name) => name === key).length;
      const found = count > 0 ? 'there' : ledger.allowed(key).includes(null) ? null : 'gone';
      return [
        ...differs(ledger, { key, about: key, found }),
        ...(count > 1 ? [problem(key, `it is there ${count} times`)] : []),
      ];
    }),
  );
}

/** Each database is as large as it was last acknowledged to be. */
export async function storageKept({ scene }: Pick<Check, 'scene'>): Promise<Problem[]> {
  const found = await Promise.all(
    scene.kept.map(async ({ id }) =>
      differs(scene.ledger, { key: `storage ${id}`, about: id, found: await readStorage(scene, id) }),
    ),
  );
  return found.flat();
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

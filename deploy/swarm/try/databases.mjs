import assert from 'node:assert/strict';
import { until } from '../../../e2e/platform.ts';
import { docker, firstChild } from './run.mjs';

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** What keeps the databases is replaced, and then the whole machine is lost, while another could keep them. */
export async function troubleDatabases(trial) {
  await assertPinned(trial.platform.keeper);
  await replaceKeeper(trial);
  await loseKeeper(trial);
}

/** What runs of the database, and who is connected with it: nothing of it may change while the platform is replaced. */
export async function stateOfDatabase({ nodes, platform, notes }) {
  return { server: await serverOfDatabase(platform.keeper), session: await notes.session(nodes[0]) };
}

/** Nothing is left of it: no service, no container, no folder. */
export async function deleteDatabase({ platform, notes, say }) {
  const { keeper } = platform;
  assert.equal((await platform.databaseFolders()).length, 1);
  await notes.removeDatabase();
  const left = await Promise.all([
    docker(keeper, ['service', 'ls', '--quiet', '--filter', 'label=lilac.databases']),
    docker(keeper, ['ps', '--all', '--quiet', '--filter', 'label=lilac.databases']),
    platform.databaseFolders(),
  ]);
  assert.deepEqual(left.flat().filter(Boolean), [], 'Something is left of a database that was deleted.');
  say('the database is deleted; its service, its container and its folder are gone');
}

async function replaceKeeper(trial) {
  const { nodes, platform, notes, say } = trial;
  const before = await stateOfDatabase(trial);
  const watching = notes.watch(anotherThan(platform.keeper, nodes));
  await platform.replaceKeeper();
  const awayMs = await watching.end();
  assert.deepEqual(await stateOfDatabase(trial), before, 'The database was replaced with its keeper.');
  say(`what keeps databases was replaced, and the server of one ran on: ${seconds(awayMs)} between answers`);
}

/**
 * Engines of the other managers stand still, and no swarm decides anything; containers run on. The database runs on,
 * too, and when it ends, it is away until there are managers again.
 */
export async function loseManagers({ nodes, platform, notes, say }) {
  const { keeper } = platform;
  const others = nodes.filter((node) => node !== keeper).map((node) => firstChild(node.pid()));
  for (const pid of others) process.kill(pid, 'SIGSTOP');
  let losing;
  try {
    await until('nobody leads the swarm', async () => !(await isSwarmLed(keeper)));
    const server = await serverOfDatabase(keeper);
    await notes.add(keeper, 'written without managers');
    losing = notes.watch(keeper);
    await docker(keeper, ['kill', server]);
    await until('it is told that the database is away', async () => {
      const { status, error } = await notes.database();
      return status === 'degraded' && /swarm/.test(error);
    });
    const { status, error } = await notes.database();
    say(`without managers the database was written to, and its server killed. The platform says: ${status}. ${error}`);
    assert(losing.isAway());
  } finally {
    for (const pid of others) process.kill(pid, 'SIGCONT');
  }
  const backAt = performance.now();
  await losing.end();
  await isWell(notes);
  say(`managers were there again, and ${seconds(performance.now() - backAt)} later the database, with all rows`);
}

async function loseKeeper({ nodes, platform, notes, say }) {
  const leader = await leaderOfDatabases(platform);
  await platform.inviteAnother?.();
  const losing = notes.watch(anotherThan(platform.keeper, nodes));
  await platform.loseKeeper();
  await until('the database is away', () => losing.isAway());
  assert.equal(await leaderOfDatabases(platform), leader);
  await platform.reviveKeeper();
  // Whoever asked its API before has connections that ended with it, and finds that out by using them.
  await Promise.allSettled(Array.from({ length: 20 }, () => notes.database()));
  const awayMs = await losing.end();
  await isWell(notes);
  say(`its machine was lost and started again: away for ${seconds(awayMs)}, all rows are there`);
  assert.equal(await leaderOfDatabases(platform), leader, 'Another machine keeps the databases.');
  await platform.isWhole();
}

/** Through which an application is asked while that one is replaced, or away. */
const anotherThan = (keeper, nodes) => nodes.find((node) => node !== keeper);

/** The swarm starts everything anew on a machine that it had given up: its API is asked again until it answers. */
const isWell = (notes) =>
  until('it is told to be well', async () => (await notes.database().catch(() => null))?.status === 'healthy');

const isSwarmLed = (node) =>
  docker(node, ['node', 'ls', '--quiet'], { timeout: 10_000 }).then(
    () => true,
    () => false,
  );

/** The container in which the one database runs: a service of its own, on the machine that has its files. */
async function serverOfDatabase(node) {
  const running = await docker(node, ['ps', '--quiet', '--no-trunc', '--filter', 'label=lilac.databases']);
  assert.match(running, /^[0-9a-f]{64}$/, 'There is not exactly one server of a database.');
  return running;
}

async function assertPinned(node) {
  const [id, name] = await Promise.all([
    docker(node, ['info', '--format', '{{.Swarm.NodeID}}']),
    docker(node, ['service', 'ls', '--filter', 'label=lilac.databases', '--format', '{{.Name}}']),
  ]);
  const placed = await docker(node, ['service', 'inspect', '--format', '{{json .Spec.TaskTemplate.Placement}}', name]);
  assert.deepEqual(JSON.parse(placed).Constraints, [`node.id==${id}`]);
}

async function leaderOfDatabases(platform) {
  const { leaders } = JSON.parse(await platform.lilac('admin', 'leaders', '--json'));
  return leaders.find(({ name }) => name === 'databases')?.host;
}

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOUBTFUL_AFTER_MS } from '../server/src/edge/proxy/limits.ts';
import { canRunDocker } from '../server/src/testing/docker/can-run-docker.ts';
import { howBusy, judgeLoss } from '../server/src/testing/docker/judge-loss.ts';
import { startSwarm, type TestSwarm } from '../server/src/testing/docker/start-swarm.ts';
import type { TestNode } from '../server/src/testing/docker/test-node.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, post, visit, type Application, type Deployer } from './deploying.ts';
import { holdRequests } from './held-requests.ts';
import { describeTally, startLoad } from './load.ts';
import { findFreePort, startPlatform, until, type Platform } from './platform.ts';
import { serverApp } from './server-app.ts';

const CONNECTIONS = 12;
/** Fewer visitors than that would have noticed nothing. */
const FEWEST = 200;
/** Three at each instance, since the one with least to do is chosen. */
const HELD = 9;
const POSTS = 40;
/** Few, since each of them may be without an answer once. */
const POSTING = 4;

interface NodeInSwarm {
  Status: { Addr: string; State: string };
  /** Of those that may lead it. */
  ManagerStatus?: object;
}

const NOBODY = { status: 0, body: '' };
const isRight = ({ status, body }: { status: number; body: string }) =>
  status === 200 && (body === 'one' || body === 'two');
const isEchoed = ({ status, body }: { status: number; body: string }) => status === 200 && body === 'once';

/** What servers do on one machine they do as tasks of a swarm of three, and one of the machines may go. */
describe.runIf(canRunDocker())('servers in a swarm of three machines', () => {
  let swarm: TestSwarm;
  let platform: Platform;
  let deployer: Deployer;
  let application: Application;
  let first: string;

  beforeAll(async () => {
    swarm = await startSwarm({ nodes: 3 });
    const port = await findFreePort();
    // Where the machines of the swarm find this one: they fetch what they run from it.
    const url = `http://${swarm.network.addressOf(1)}:${port}`;
    const started = await startPlatform({
      port,
      env: {
        LILAC_PUBLIC_URL: url,
        LILAC_RUNTIME: 'swarm',
        LILAC_DOCKER_HOST: `unix://${swarm.nodes[0]!.socketPath}`,
        LILAC_CLUSTER_RANGE: swarm.network.range,
        LILAC_RATE_LIMIT: '1000000',
        LILAC_SCALE_DOWN_AFTER: '500ms',
      },
    });
    platform = { ...started, url };
    deployer = createDeployer(platform, await createAccount(platform));
    application = await deployer.createFromFiles('Swarmed', serverApp('one'), { deploymentType: 'container' });
    first = (await deployer.newest(application)).id;
    await deployer.healthy(first);
  }, 900_000);
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]();
    await swarm?.[Symbol.asyncDispose]();
  });

  const scale = (minInstances: number, maxInstances: number) =>
    deployer.client.call('environments.scale', {
      body: {
        targetOrganisationId: deployer.targetOrganisationId,
        environmentId: application.environmentId,
        minInstances,
        maxInstances,
      },
    });

  const instancesSeen = async (): Promise<Set<string>> => {
    const answers = await Promise.all(
      // One that a lost machine has must not keep the others from being counted.
      Array.from({ length: 30 }, () =>
        Promise.race([visit(application.url, '/instance').catch(() => NOBODY), delay(2000, NOBODY)]),
      ),
    );
    return new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body));
  };
  const areServing = (count: number) => until(`${count} answer`, async () => (await instancesSeen()).size === count);

  /** Machines of the swarm on which a program runs that somebody has claimed, by instance. */
  const machines = async (): Promise<Map<string, string>> => {
    const [service] = await swarm.manager.listServices();
    const claims = Object.entries(service?.Spec?.Labels ?? {}).filter(([name]) => name.startsWith('lilac.task.'));
    return new Map(claims.map(([, value]) => value.split(' ')).map(([id, , host]) => [id!, host!]));
  };
  const busyMachines = async () => [...(await machines()).values()];

  const inSwarm = async ({ address }: TestNode): Promise<NodeInSwarm> => {
    const nodes = (await swarm.manager.listNodes()) as NodeInSwarm[];
    return nodes.find(({ Status }) => Status.Addr === address)!;
  };

  it('a visitor is answered; a release and a rollback under load lose no request', async () => {
    expect((await visit(application.url)).body).toBe('one');
    const load = startLoad({ url: application.url, connections: CONNECTIONS, pauseMs: 50, isRight });
    try {
      await deployer.healthy(await deployer.deploy(application, serverApp('two')));
      expect((await visit(application.url)).body).toBe('two');
      await deployer.rollBack(application, first);
      await until('the first release answers again', async () => (await visit(application.url)).body === 'one');
    } finally {
      await load.stop();
    }
    expect(load.tally.requests).toBeGreaterThan(FEWEST);
    // Nor did anybody have to ask once more.
    expect(load.tally).toMatchObject({ failures: [], refused: 0, closed: 0 });
  });

  it('more and fewer instances under load lose no request, whichever machine has the one that is left', async () => {
    const load = startLoad({ url: application.url, connections: CONNECTIONS, pauseMs: 50, isRight });
    try {
      const left = new Set<string>();
      for (let round = 0; round < 2; round++) {
        await scale(3, 3);
        await areServing(3);
        await scale(1, 1);
        await areServing(1);
        await until('the others are gone', async () => (await busyMachines()).length === 1);
        for (const machine of await busyMachines()) left.add(machine);
      }
      console.log(`left alone: ${[...left].join(', ')}`);
    } finally {
      await load.stop();
    }
    expect(load.tally.requests).toBeGreaterThan(FEWEST);
    // Nor did anybody have to ask once more.
    expect(load.tally).toMatchObject({ failures: [], refused: 0, closed: 0 });
  });

  it('a machine that is lost takes no more requests with it than it had, and others have taken its place within 15 s', async () => {
    const scaledAt = performance.now();
    await scale(3, 3);
    await areServing(3);
    const startMs = performance.now() - scaledAt;
    const before = await machines();
    const node = swarm.nodes[2]!;
    // Were it to lead, the others would elect another first: they do nothing meanwhile, and it takes twice as long.
    expect((await inSwarm(node)).ManagerStatus).toBeUndefined();
    const lost = [...before].filter(([, host]) => host === node.address).map(([id]) => id);
    expect(lost).not.toEqual([]);
    const held = await holdRequests(application.url, HELD);
    const heldThere = held.filter(({ instance }) => lost.includes(instance));
    const heldElsewhere = held.filter(({ instance }) => !lost.includes(instance));
    expect(heldThere).not.toEqual([]);
    expect(new Set(heldElsewhere.map(({ instance }) => instance)).size).toBe(before.size - lost.length);
    const busyBefore = howBusy();
    const load = startLoad({ url: application.url, connections: CONNECTIONS, pauseMs: 20, isRight });
    // What nobody may send twice goes on too, so that some of it is at the machine when that is lost.
    const echoes = { path: '/echo', body: 'once', isRight: isEchoed };
    const posting = startLoad({ url: application.url, connections: POSTING, pauseMs: 20, ...echoes });
    try {
      await until('the loads go on', () => [load, posting].every(({ tally }) => tally.requests > FEWEST));
      const begun = performance.now();
      await node.kill();
      // Whoever was heard of a moment ago is taken to be there.
      await delay(2 * DOUBTFUL_AFTER_MS);
      const posts = Promise.all(
        Array.from({ length: POSTS }, async () => {
          const { status, body } = await post(application.url, '/echo', 'once');
          return { status, body };
        }),
      );
      const isDown = async () => (await inSwarm(node)).Status.State === 'down';
      const seenMs = until('the swarm sees it', isDown).then(() => performance.now() - begun);
      await until('another has taken its place', async () => {
        const now = await instancesSeen();
        return now.size === 3 && [...now].some((id) => !before.has(id));
      });
      const fullMs = performance.now() - begun;
      const judged = judgeLoss(fullMs, busyBefore);
      const times = { 'seen to be lost after': await seenMs, 'a start takes': startMs };
      const said = Object.entries(times).map(([what, ms]) => `${what} ${(ms / 1000).toFixed(1)} s`);
      await until('what it had in its hands is over', () => heldThere.every((each) => each.isBroken()));
      console.log(
        `full again after ${judged.said}; ${said.join(', ')}; ${heldThere.length} held broke; ${describeTally(load.tally)}; ` +
          `POSTs: ${describeTally(posting.tally)}`,
      );
      // No more than it had: those that it was at, and of the others none, since what only asks is asked elsewhere.
      expect(await posts).toEqual(Array.from({ length: POSTS }, () => ({ status: 200, body: 'once' })));
      expect(heldElsewhere.filter((each) => each.isBroken())).toEqual([]);
      expect(judged).toMatchObject({ isInTime: true });
    } finally {
      for (const each of held) each.giveUp();
      await Promise.all([load.stop(), posting.stop()]);
    }
    expect(load.tally.requests).toBeGreaterThan(FEWEST);
    // Nor did anybody have to ask once more.
    expect(load.tally).toMatchObject({ failures: [], refused: 0, closed: 0 });
    // What was at the machine, or written within `DOUBTFUL_AFTER_MS`: one for each connection, which waits for its
    // answer.
    expect(posting.tally.failures.length).toBeLessThanOrEqual(POSTING);
    expect(posting.tally).toMatchObject({ refused: 0, closed: 0 });
  });
});

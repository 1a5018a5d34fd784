import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRunDocker } from '../server/src/testing/docker/can-run-docker.ts';
import { startSwarm, type TestSwarm } from '../server/src/testing/docker/start-swarm.ts';
import { createAccount, type Account } from './acknowledged-writes.ts';
import { createDeployer, type Application } from './deploying.ts';
import { keepDeploying, type Deploying } from './keep-deploying.ts';
import { startHosts, type Hosts } from './hosts.ts';
import { describeTally, startLoad, type Load } from './load.ts';
import { until } from './platform.ts';
import { serverApp } from './server-app.ts';
import { findDeploymentTroubles, WATCH_DEPLOYMENTS } from './watch-deployments.ts';
import { WATCH_JOBS } from './watch-jobs.ts';

const INSTANCES = 2;
const isRight = ({ status, body }: { status: number; body: string }) => status === 200 && /^release \d/.test(body);

/**
 * Two hosts that drive one swarm: either may keep the instances. Releases and changes of scale go on all the time, and
 * whichever host leads is killed while one is under way. The other goes on with it, and nothing is done twice.
 */
describe.runIf(canRunDocker())('releases while another host begins to lead', () => {
  let swarm: TestSwarm;
  let all: Hosts;
  let account: Account;
  let application: Application;
  let first: string;
  let deploying: Deploying;

  beforeAll(async () => {
    swarm = await startSwarm({ nodes: 1 });
    const env = {
      LILAC_RUNTIME: 'swarm',
      LILAC_DOCKER_HOST: `unix://${swarm.nodes[0]!.socketPath}`,
      LILAC_CLUSTER_RANGE: swarm.network.range,
      LILAC_RATE_LIMIT: '1000000',
      LILAC_EDGE_PROCESSES: '1',
    };
    all = await startHosts(2, env, swarm.network.addressOf(1));
    await all.ask(WATCH_JOBS);
    await all.ask(WATCH_DEPLOYMENTS);
    account = await createAccount(all.hosts[0]!);
    const deployer = createDeployer(all.hosts[0]!, account);
    application = await deployer.createFromFiles('Led', serverApp('release 0'), { deploymentType: 'container' });
    first = (await deployer.newest(application)).id;
    await deployer.healthy(first);
    deploying = keepDeploying(() => all.hosts, account, application);
  }, 900_000);
  afterAll(async () => {
    await deploying?.stop().catch(() => {});
    await all?.[Symbol.asyncDispose]();
    await swarm?.[Symbol.asyncDispose]();
  });

  /** Which of the hosts keeps the instances. */
  async function leader(): Promise<number> {
    const [row] = await all.ask<{ host: string }>(`select host from leaderships where name = 'instances'`);
    return all.hosts.findIndex(({ home }) => readFileSync(join(home, 'host-id'), 'utf8').trim() === row?.host);
  }

  const isReleasing = async () =>
    (await all.ask(`select 1 from jobs where kind = 'deployments.release' and state = 'running'`)).length > 0;

  const visitorsOf = (host: number): Load => {
    const url = `http://${new URL(application.url).hostname}:${all.hosts[host]!.port}`;
    return startLoad({ url, connections: 4, pauseMs: 100, isRight });
  };

  it.each(['once', 'and back'])('the host that leads is lost in the middle of a release, %s', async () => {
    const lost = await leader();
    const other = 1 - lost;
    expect(lost).toBeGreaterThanOrEqual(0);
    const load = visitorsOf(other);
    try {
      const before = deploying.released.length;
      await until('a release is under way', isReleasing);
      await all.kill(lost);
      await until('the other leads', async () => (await leader()) === other);
      await until('releases go on without the first', () => deploying.released.length >= before + 2);
      await all.startAgain(lost);
      await until('releases go on with both', () => deploying.released.length >= before + 3);
      expect(await leader()).toBe(other);
    } finally {
      await load.stop();
    }
    console.log(`${deploying.released.length} releases; ${describeTally(load.tally)}`);
    // Nor did anybody have to ask once more.
    expect(load.tally).toMatchObject({ failures: [], refused: 0, closed: 0 });
  });

  it('has lost no release and done none twice', async () => {
    await deploying.stop();
    expect(await findDeploymentTroubles(all, { account, application, first, deploying })).toEqual([]);
    expect(await all.ask('select * from job_marks')).toEqual([]);
    await until('there is one service, with as many instances as wanted', async () => {
      const services = await swarm.manager.listServices();
      const claims = services.flatMap(({ Spec }) => Object.keys(Spec?.Labels ?? {})).filter(isClaim);
      return services.length === 1 && claims.length === INSTANCES;
    });
  });
});

const isClaim = (label: string): boolean => label.startsWith('lilac.task.');

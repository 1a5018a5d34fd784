import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type Docker from 'dockerode';
import { readConfig } from '../../config.ts';
import type { RuntimeSettings } from '../../config/runtime-settings.ts';
import { STACK_IMAGE } from '../../runtime/stack-image.ts';
import { canRunDocker } from '../../testing/docker/can-run-docker.ts';
import { eventually } from '../../testing/eventually.ts';
import { conformAccess } from '../conformance-access.ts';
import { conformLife } from '../conformance-life.ts';
import { describeEngine } from '../conformance.ts';
import { describeHost } from '../host/testing/describe-host.ts';
import { makeHome, openHostBench, remainsOf, smallSize, type HostBenchOptions } from '../host/testing/host-bench.ts';
import { kill, startPlatform } from '../host/testing/start-platform.ts';
import { findPrograms as findMysql } from '../mysql/programs.ts';
import { openMysql } from '../mysql/testing/mysql-subject.ts';
import { findPrograms as findPostgresql } from '../postgresql/programs.ts';
import { openPostgresql } from '../postgresql/testing/postgresql-subject.ts';
import { readTask } from './swarm-services.ts';
import { startLocalSwarm, type LocalSwarm } from './testing/local-swarm.ts';

const [postgresql] = await findPostgresql(null);
const { programs: mysql } = await findMysql();
const UP = 'echo up > up; while [ ! -e go ]; do sleep 0.02; done';

describe.runIf(canRunDocker())('servers as services of a swarm', () => {
  let swarm: LocalSwarm;
  let docker: Docker;
  beforeAll(async () => {
    swarm = await startLocalSwarm();
    ({ docker } = swarm.engine);
  }, 900_000);
  afterAll(async () => {
    await swarm?.[Symbol.asyncDispose]();
  });

  const open = (options: HostBenchOptions = {}) => openHostBench({ runtime: swarm.runtime, ...options });
  const containersOf = (serverId: string) =>
    docker.listContainers({ filters: { label: [`lilac.databases.server=${serverId}`] } });

  /** In MiB. */
  const limitOf = async (serverId: string) => {
    const [found] = await containersOf(serverId);
    return (await docker.getContainer(found!.Id).inspect()).HostConfig.Memory! / 1024 ** 2;
  };

  /** In bytes. */
  const reserved = async (serverId: string) => {
    const [service] = await docker.listServices({ filters: { label: [`lilac.databases.server=${serverId}`] } });
    const { Resources } = service!.Spec!.TaskTemplate as Docker.ContainerTaskSpec;
    return Resources?.Reservations?.MemoryBytes;
  };

  describeHost('services', () => open());

  it('are pinned to the machine that has their files, and see no files but their own', async () => {
    await using bench = await open();
    expect((await bench.host.lacking()).join('\n')).not.toContain('services');
    const one = await bench.take('dbs_one');
    writeFileSync(join(one.home, 'secret'), 'mine', { mode: 0o644 });
    const other = await bench.take('dbs_other', { databaseId: 'db_2' });
    const look = `cat /proc/self/status > status; cat /proc/self/oom_score_adj > expendable; env > env
      { ls ${bench.home}/databases; cat ${one.home}/secret; touch /here; } > seen 2>&1; echo up > up; sleep 1000`;
    await bench.launch(other, look);
    await eventually('it has looked', () => existsSync(join(other.home, 'up')));
    const status = read(join(other.home, 'status'));
    expect(status).toMatch(new RegExp(`^Uid:\\t${other.uid}\\t${other.uid}\\t${other.uid}\\t${other.uid}$`, 'm'));
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^CapBnd:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status).toMatch(new RegExp(`^Groups:\\t${other.uid} $`, 'm'));
    expect(read(join(other.home, 'expendable'))).toBe('100\n');
    expect(read(join(other.home, 'env'))).not.toContain('LILAC');
    expect(read(join(other.home, 'seen'))).toMatch(
      /^dbs_other\ncat: .*No such file.*\ntouch: .*Read-only file system\n$/,
    );
    const [service] = await docker.listServices({ filters: { label: ['lilac.databases.server=dbs_other'] } });
    const { Placement, ContainerSpec } = service!.Spec!.TaskTemplate as Docker.ContainerTaskSpec;
    expect(Placement?.Constraints).toEqual([`node.id==${swarm.nodeId}`]);
    const own = ContainerSpec?.Mounts?.filter(({ ReadOnly }) => !ReadOnly).map(({ Source }) => Source);
    expect(own).toEqual([other.home, other.logFile]);
  });

  it('run on when the platform is killed, and the next one has them, and hears of their end', async () => {
    const home = makeHome();
    const platform = startPlatform(home, 'serve', UP, swarm.engine.socketPath);
    await platform.firstLine;
    await kill(platform);
    const before = await containersOf('dbs_1');
    expect(before).toHaveLength(1);
    await using bench = await open({ home });
    const place = (await bench.host.find('dbs_1'))!;
    expect(bench.host.isRunning('dbs_1')).toBe(true);
    await expect(bench.launch(place, 'true')).rejects.toThrow('runs already');
    expect((await containersOf('dbs_1')).map(({ Id }) => Id)).toEqual(before.map(({ Id }) => Id));
    writeFileSync(join(place.home, 'go'), '');
    await eventually('its end is told', () => bench.exits.length > 0);
    expect(bench.exits).toEqual(['dbs_1']);
    expect(bench.host.isRunning('dbs_1')).toBe(false);
    await bench.host.remove('dbs_1');
    expect(await swarm.remains('dbs_1')).toEqual([]);
  });

  it('of a platform that is a container itself have their files in its volume, and outlive it', async () => {
    const volume = `lilac-services-${process.pid}`;
    const root = join(import.meta.dirname, '..', '..', '..', '..');
    const script = join(root, 'server', 'src', 'engines', 'host', 'testing', 'killed-host.ts');
    const platform = await docker.createContainer({
      Image: STACK_IMAGE,
      Entrypoint: ['node', script, '/var/lib/lilac', 'serve', UP, '/run/docker.sock'],
      Volumes: { '/var/lib/lilac': {}, '/var/lib/other': {} },
      HostConfig: {
        NetworkMode: 'host',
        Binds: [`${root}:${root}:ro`, `${swarm.engine.socketPath}:/run/docker.sock`, `${volume}:/var/lib/lilac`],
      },
    });
    await platform.start();
    const { Mountpoint } = await docker.getVolume(volume).inspect();
    const home = join(Mountpoint, 'databases', 'dbs_1', 'v', 'v', 'home');
    await eventually('its server is up', () => existsSync(join(home, 'up'))).catch(async (error: unknown) => {
      throw new Error(String(await platform.logs({ stdout: true, stderr: true })), { cause: error });
    });
    await eventually('it is listed', async () => (await containersOf('dbs_1')).length > 0);
    const before = await containersOf('dbs_1');
    await platform.remove({ force: true, v: true });
    const after = await containersOf('dbs_1');
    const { Mounts } = await docker.getContainer(before[0]!.Id).inspect();
    writeFileSync(join(home, 'go'), '');
    const services = await docker.listServices({ filters: { label: ['lilac.databases.server=dbs_1'] } });
    for (const { ID } of services) await docker.getService(ID).remove();
    await eventually('nothing is left', async () => (await swarm.remains('dbs_1')).length === 0);
    await eventually('its volume goes', () =>
      docker
        .getVolume(volume)
        .remove()
        .then(
          () => true,
          () => false,
        ),
    );
    expect(after.map(({ Id }) => Id)).toEqual(before.map(({ Id }) => Id));
    const own = Mounts.find(({ Destination }) => Destination === '/var/lib/lilac/databases/dbs_1/v/v/home');
    expect(own?.Source).toBe(home);
    expect(Mounts.filter(({ Type }) => Type === 'volume')).toEqual([]);
  });

  it('are never two of one, whenever the platform is killed while it starts and removes them', async () => {
    const home = makeHome();
    const marker = String(100_000 + Math.floor(Math.random() * 900_000));
    for (let round = 0; round < 3; round++) {
      const platform = startPlatform(home, 'churn', `exec sleep ${marker}`, swarm.engine.socketPath);
      await platform.firstLine;
      await delay(round * 431);
      await kill(platform);
      await using bench = await open({ home, keepHome: true });
      const place = await bench.take();
      if (!bench.host.isRunning('dbs_1')) await bench.launch(place, `exec sleep ${marker}`);
      await eventually('it runs', () => processesOf(marker).length > 0);
      expect(processesOf(marker)).toHaveLength(1);
      await bench.host.remove('dbs_1');
      expect(readdirSync(join(home, 'databases'))).toEqual([]);
      expect(processesOf(marker)).toEqual([]);
      expect(remainsOf(home, 'dbs_1')).toEqual([]);
      await eventually('nothing is left', async () => (await swarm.remains('dbs_1')).length === 0);
    }
    await using _last = await open({ home });
  });

  it('do not come to life when they were asked for by somebody whose start was given up', async () => {
    await using bench = await open();
    const place = await bench.take();
    await bench.launch(place, UP);
    const [made] = await docker.listServices({ filters: { label: ['lilac.databases.server=dbs_1'] } });
    await bench.host.kill('dbs_1');
    expect(await swarm.remains('dbs_1')).toEqual([]);
    await docker.createService(made!.Spec as Docker.CreateServiceOptions);
    await eventually('the swarm has tried', async () => {
      const task = await readTask(docker, made!.Spec!.Name!);
      return task?.state === 'rejected' || task?.state === 'failed';
    });
    expect(await containersOf('dbs_1')).toEqual([]);
    await bench.launch(place, UP);
    expect(await containersOf('dbs_1')).toHaveLength(1);
    expect(bench.exits).toEqual([]);
  });

  it('that are killed are told of, and nothing is left of one when it is removed', async () => {
    await using bench = await open();
    const place = await bench.take();
    await bench.launch(place, 'sleep 1000 & sleep 1000');
    process.kill(await swarm.mainPid('dbs_1'), 'SIGKILL');
    await eventually('its end is told', () => bench.exits.length > 0);
    expect(bench.exits).toEqual(['dbs_1']);
    await bench.launch(place, 'sleep 1000');
    await bench.host.remove('dbs_1');
    expect(await swarm.remains('dbs_1')).toEqual([]);
    expect(bench.exits).toEqual(['dbs_1']);
  });

  it('have the limits of their size, other ones while they run, and are counted', async () => {
    await using bench = await open();
    const place = await bench.take();
    await bench.launch(
      place,
      'x=$(head -c 20000000 /dev/zero | tr "\\0" x); i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo "$i" > done; sleep 1000',
    );
    await eventually('it has worked', () => read(join(place.home, 'done')) === '300000\n');
    expect(await limitOf('dbs_1')).toBe(smallSize.memoryMb);
    const usage = await bench.host.usage(place);
    expect(usage.cpuSeconds).toBeGreaterThan(0.02);
    expect(usage.memoryBytes).toBeGreaterThan(20_000_000);
    expect(usage.memoryBytes).toBeLessThan(smallSize.memoryMb * 1024 ** 2);
    bench.host.setLimits(place, { ...smallSize, memoryMb: 1024 });
    await eventually('it has more', async () => (await limitOf('dbs_1')) === 1024);
    bench.host.setLimits(place, { ...smallSize, memoryMb: 96 });
    await eventually('it has less', async () => (await limitOf('dbs_1')) === 96);
    expect(bench.host.isRunning('dbs_1')).toBe(true);
  });

  it('have their memory kept: a new one for which there is none is refused, one that was there before is not', async () => {
    await using bench = await open();
    const memoryMb = Math.floor((totalmem() * 0.6) / 1024 ** 2);
    const size = { ...smallSize, memoryMb };
    const first = await bench.take('dbs_first', { size });
    const second = await bench.take('dbs_second', { databaseId: 'db_2', size });
    await bench.launch(first, 'echo begun; sleep 1000');
    expect(await reserved('dbs_first')).toBe(memoryMb * 1024 ** 2);
    await expect(bench.launch(second, 'echo begun; sleep 1000')).rejects.toThrow(
      /does not start.*insufficient resources/,
    );
    expect(await swarm.remains('dbs_second')).toEqual([]);
    await eventually('it has said something', () => read(first.logFile) !== '');
    await bench.host.kill('dbs_first');
    await bench.launch(second, 'echo begun; sleep 1000');
    expect(await reserved('dbs_second')).toBe(memoryMb * 1024 ** 2);
    await bench.launch(first, 'echo begun; sleep 1000');
    expect(bench.host.isRunning('dbs_first')).toBe(true);
    expect(await reserved('dbs_first')).toBeUndefined();
    expect(await limitOf('dbs_first')).toBe(memoryMb);
  });

  it('are told of in the words of the swarm when it cannot start them', async () => {
    await using bench = await open();
    const place = await bench.take();
    await bench.launch(place, UP);
    await bench.host.kill('dbs_1');
    await swarm.setAvailability('drain');
    try {
      await expect(bench.launch(place, UP)).rejects.toThrow(/does not start the server.*no suitable node/);
    } finally {
      await swarm.setAvailability('active');
    }
    expect(bench.host.isRunning('dbs_1')).toBe(false);
    expect(await swarm.remains('dbs_1')).toEqual([]);
    await bench.launch(place, UP);
    expect(bench.host.isRunning('dbs_1')).toBe(true);
  });

  it('stay what they are when the runtime is another one now, and become that with their next start', async () => {
    const home = makeHome();
    const elsewhere = { ...swarm.runtime, kind: 'sandbox' as const };
    {
      await using bench = await open({ home, keepHome: true });
      await bench.launch(await bench.take(), UP);
      await bench.host.close();
      await using next = await open({ home, keepHome: true, runtime: elsewhere });
      expect(next.host.isRunning('dbs_1')).toBe(true);
      const place = (await next.host.find('dbs_1'))!;
      await expect(next.launch(place, 'true')).rejects.toThrow('runs already');
      await next.host.end('dbs_1', [{ signal: 'SIGTERM', waitMs: 50 }]);
      expect(await swarm.remains('dbs_1')).toEqual([]);
      await next.launch(place, UP);
      expect(await containersOf('dbs_1')).toEqual([]);
      await next.host.close();
      await using last = await open({ home, keepHome: true });
      expect(last.host.isRunning('dbs_1')).toBe(true);
      await last.host.kill('dbs_1');
      await last.launch(place, UP);
      expect(await containersOf('dbs_1')).toHaveLength(1);
    }
    await using _end = await open({ home });
  });

  it('of servers that are not there any more are removed', async () => {
    const home = makeHome();
    await using bench = await open({ home });
    await bench.launch(await bench.take('dbs_kept'), UP);
    const [made] = await docker.listServices({ filters: { label: ['lilac.databases.server=dbs_kept'] } });
    const stray = JSON.parse(JSON.stringify(made!.Spec).replaceAll('dbs_kept', 'dbs_stray')) as object;
    await docker.createService(stray);
    await using next = await open({ home, keepHome: true });
    await eventually('it is gone', async () => (await swarm.remains('dbs_stray')).length === 0);
    expect(next.host.isRunning('dbs_kept')).toBe(true);
  });

  const services = async <T extends object>(subject: Promise<T>) => ({
    ...(await subject),
    mainPid: (serverId: string) => swarm.mainPid(serverId),
  });
  // Standbys are made of the same starts and ends.
  const parts = [conformLife, conformAccess];
  for (const programs of postgresql ? [postgresql] : []) {
    const start = () => services(openPostgresql(programs, 'lilac-pg-', swarm.settings));
    describeEngine(`PostgreSQL ${programs.series} in services`, start, parts);
  }
  for (const { series } of mysql ? [mysql] : []) {
    describeEngine(`MariaDB ${series} in services`, () => services(openMysql(swarm.settings)), parts);
  }
});

describe('where there is no swarm that could be used', () => {
  it('servers are processes, and that is told', async () => {
    const home = makeHome();
    await using bench = await openHostBench({ home, runtime: nowhere(home) });
    await bench.launch(await bench.take(), 'sleep 1000');
    expect(bench.host.isRunning('dbs_1')).toBe(true);
    expect((await bench.host.lacking()).join('\n')).toMatch(
      /not services of the swarm: no engine of Docker .*no\.sock/,
    );
    await bench.host.end('dbs_1', [{ signal: 'SIGTERM', waitMs: 5000 }]);
    expect(bench.host.isRunning('dbs_1')).toBe(false);
  });

  it('one that may run as a service is not started beside it', async () => {
    const home = makeHome();
    await using bench = await openHostBench({ home, runtime: nowhere(home) });
    const place = await bench.take();
    const mark = join(place.folder, 'service.0123456789ab');
    mkdirSync(mark);
    expect(bench.host.isRunning('dbs_1')).toBe(true);
    await expect(bench.launch(place, 'sleep 1000')).rejects.toThrow('runs already');
    await expect(bench.host.kill('dbs_1')).rejects.toThrow('The engine of Docker does not answer');
    await expect(bench.launch(place, 'sleep 1000')).rejects.toThrow('runs already');
    rmdirSync(mark);
  });
});

const nowhere = (home: string): RuntimeSettings =>
  readConfig({ LILAC_HOME: home, LILAC_RUNTIME: 'swarm', LILAC_DOCKER_HOST: `unix://${join(home, 'no.sock')}` })
    .runtime;

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Whatever they are called in /proc, they sleep for a number nobody else does. */
function processesOf(marker: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${marker}\0`;
    } catch {
      return false;
    }
  });
}

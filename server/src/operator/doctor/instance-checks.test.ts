import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../config.ts';
import { startPretendedEngine } from '../../runtime/docker/testing/pretended-engine.ts';
import { keepRuntime } from '../../runtime/isolation-file.ts';
import { judgeDockerfiles } from './dockerfile-checks.ts';
import {
  instanceChecks,
  judgeCalls,
  judgeIsolation,
  judgeLimits,
  judgeNetworks,
  judgeSwap,
} from './instance-checks.ts';

const saying = (text: string) => expect.stringContaining(text) as string;

const judge = (changes: Partial<Parameters<typeof judgeDockerfiles>[0]>) =>
  judgeDockerfiles({ mode: 'on', isDocker: true, obstacle: null, ...changes });

function toldOf(id: string, runtime: string, more: Record<string, string> = {}) {
  const config = readConfig({ LILAC_RUNTIME: runtime, LILAC_HOME: '/nowhere', ...more });
  return instanceChecks.checks.find((check) => check.id === id)!.look({ config, environment: {} });
}

const toldOfNetworks = ({ socketPath }: { socketPath: string }) =>
  toldOf('servers.networks', 'swarm', { LILAC_DOCKER_HOST: `unix://${socketPath}` });

describe('what is told about running servers', () => {
  it('that bubblewrap is missing is said loudly, and what to do', () => {
    expect(judgeIsolation({ bubblewrap: '/usr/bin/bwrap', isRoot: true }).status).toBe('ok');
    expect(judgeIsolation({ bubblewrap: null, isRoot: true })).toEqual({
      status: 'warn',
      found: saying('WITHOUT bubblewrap'),
      advice: saying('apt-get install bubblewrap'),
    });
    expect(judgeIsolation({ bubblewrap: null, isRoot: false }).found).toContain('cannot be run');
  });

  it('which limits are not held, and what to do', () => {
    expect(judgeLimits({ limited: ['memory', 'cpu', 'pids'] }).status).toBe('ok');
    expect(judgeLimits({ limited: ['cpu'] })).toEqual({
      status: 'warn',
      found: saying('NOT limited: memory, pids'),
      advice: saying('Delegate=yes'),
    });
  });

  it('whether system calls are filtered, and why not', () => {
    expect(judgeCalls({ bubblewrap: '/usr/bin/bwrap', canFilterCalls: true }).status).toBe('ok');
    expect(judgeCalls({ bubblewrap: '/usr/bin/bwrap', canFilterCalls: false }).found).toContain('kernel');
    expect(judgeCalls({ bubblewrap: null, canFilterCalls: false }).found).toContain('bubblewrap');
  });

  it('what the networks lack', () => {
    expect(judgeNetworks([]).status).toBe('ok');
    expect(judgeNetworks(['They share one.'])).toMatchObject({ status: 'warn', found: 'They share one.' });
  });

  it('whether Dockerfiles are built, and what stands in the way or is risky', () => {
    expect(judge({ mode: 'off', isDocker: false })).toMatchObject({ status: 'ok', found: saying('off') });
    expect(judge({})).toMatchObject({ status: 'ok', found: saying('a file system of its own') });
    expect(judge({ mode: 'on-shared-disk' })).toMatchObject({ status: 'warn', found: saying('can fill it') });
    expect(judge({ isDocker: false })).toMatchObject({ status: 'warn', advice: saying('LILAC_RUNTIME=docker') });
    expect(judge({ obstacle: 'One disk.' })).toMatchObject({ status: 'warn', found: saying('One disk.') });
  });

  it('what servers run in, and what must be done first', async () => {
    const check = instanceChecks.checks.find(({ id }) => id === 'servers.runtime')!;
    await using ready = await startPretendedEngine('ready');
    await using lacking = await startPretendedEngine('lacks-image');
    const told = (runtime: string, { socketPath }: { socketPath: string }) =>
      check.look({
        config: readConfig({ LILAC_RUNTIME: runtime, LILAC_DOCKER_HOST: `unix://${socketPath}` }),
        environment: {},
      });
    expect(await told('sandbox', lacking)).toMatchObject({ status: 'ok', found: saying('sandbox') });
    expect(await told('docker', ready)).toMatchObject({ status: 'ok', found: saying(ready.socketPath) });
    expect(await told('docker', lacking)).toEqual({
      status: 'fail',
      found: saying('lacks the image'),
      advice: saying('cannot be started until then'),
    });
    expect(await told('swarm', { socketPath: '/nowhere/docker.sock' })).toMatchObject({
      status: 'fail',
      found: saying('does not answer at /nowhere/docker.sock'),
    });
  });

  it('the runtime that the worker has, whatever would be chosen now', async () => {
    const home = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const config = readConfig({ LILAC_HOME: home, LILAC_DOCKER_HOST: 'unix:///nowhere/docker.sock' });
    const check = instanceChecks.checks.find(({ id }) => id === 'servers.runtime')!;
    expect(await check.look({ config, environment: {} })).toMatchObject({ status: 'ok', found: saying('sandbox') });
    keepRuntime(config, { kind: 'docker', supervisor: null });
    expect(await check.look({ config, environment: {} })).toMatchObject({
      status: 'fail',
      found: saying('does not answer at /nowhere/docker.sock'),
    });
  });

  it('of a swarm what the engine holds, and what nothing holds; its networks are not those of this machine', async () => {
    expect(await toldOf('servers.isolation', 'swarm')).toMatchObject({ status: 'ok', found: saying('Docker engine') });
    expect(await toldOf('servers.files', 'docker')).toMatchObject({ status: 'ok', found: saying('Docker engine') });
    expect(await toldOf('servers.files', 'swarm')).toMatchObject({
      status: 'warn',
      found: saying('can fill the disk'),
    });
    expect(judgeSwap(false).status).toBe('ok');
    expect(judgeSwap(true)).toMatchObject({ status: 'warn', advice: saying('swapoff') });
  });

  it('of tasks whether they can tell this machine’s worker from its builds, as far as the engine says it', async () => {
    await using ready = await startPretendedEngine('ready');
    await using apart = await startPretendedEngine('keeps-apart');
    const each = { status: 'ok', found: saying('each task') };
    expect(await toldOfNetworks(ready)).toMatchObject(each);
    expect(await toldOfNetworks({ socketPath: '/nowhere/docker.sock' })).toMatchObject(each);
    expect(await toldOfNetworks(apart)).toEqual({
      status: 'warn',
      found: saying('icc'),
      advice: saying('userland-proxy on'),
    });
  });

  it('every check finds something on this machine, and makes nothing where there is no home', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    const home = join(parent, 'home');
    const host = { config: readConfig({ LILAC_HOME: home }), environment: { PATH: '/usr/bin:/bin' } };
    for (const check of instanceChecks.checks) expect((await check.look(host)).found).not.toBe('');
    expect(existsSync(home)).toBe(false);
  });
});

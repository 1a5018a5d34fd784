import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pathsOf, readConfig } from '../config.ts';
import type { RuntimeKind } from '../config/runtime-settings.ts';
import { startPretendedEngine } from './docker/testing/pretended-engine.ts';
import { keepRuntime, readLacking, readRuntimeName, writeIsolation } from './isolation-file.ts';
import { mustStay, runtimeInUse, takeRuntime } from './take-runtime.ts';

const NOWHERE = '/nowhere/docker.sock';
const ENDED = { pid: process.pid, startTime: 'of another' };

afterEach(() => void vi.restoreAllMocks());

/** An installation of root, whose engine is at the socket. */
function openHome() {
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  const home = mkdtempSync(join(tmpdir(), 'lilac-runtime-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const at = (socketPath: string, settings: Record<string, string> = {}) =>
    readConfig({ LILAC_HOME: home, LILAC_DOCKER_HOST: `unix://${socketPath}`, ...settings });
  const paths = pathsOf({ home });
  return {
    at,
    /** As if an earlier run of the platform had taken it. */
    keep: (kind: RuntimeKind) => keepRuntime({ home }, { kind, supervisor: ENDED }),
    leave: (name: string) => mkdirSync(join(paths.instances, name), { recursive: true }),
    removeLeft: () => rmSync(paths.instances, { recursive: true }),
  };
}

describe('what may not change', () => {
  it.each(['sandbox', 'docker'] as const)('%s under a running platform, and under what is left of it', (kind) => {
    expect(mustStay(kind, { isSameRun: true, hasInstances: false })).toBe(true);
    expect(mustStay(kind, { isSameRun: false, hasInstances: true })).toBe(true);
    expect(mustStay(kind, { isSameRun: false, hasInstances: false })).toBe(false);
  });

  it('a swarm is had by who was told to, and by nobody else', () => {
    expect(mustStay('swarm', { isSameRun: true, hasInstances: true })).toBe(false);
  });
});

describe('LILAC_RUNTIME is given', () => {
  it.each(['sandbox', 'docker', 'swarm'])('%s is what it is, whatever is there and was before', async (kind) => {
    await using ready = await startPretendedEngine('ready');
    const { at, keep, leave } = openHome();
    keep(kind === 'docker' ? 'sandbox' : 'docker');
    leave('ins_1');
    for (const uid of [0, 1000]) {
      vi.spyOn(process, 'getuid').mockReturnValue(uid);
      for (const config of [at(ready.socketPath, { LILAC_RUNTIME: kind }), at(NOWHERE, { LILAC_RUNTIME: kind })]) {
        expect(await takeRuntime(config)).toBe(kind);
        expect(await runtimeInUse(config)).toBe(kind);
        expect(readRuntimeName(config)).toBe(kind);
      }
    }
  });

  it('what there is not is refused, with what there is', () => {
    const refused = 'LILAC_RUNTIME must be sandbox, docker, swarm or left out, not "podman".';
    expect(() => readConfig({ LILAC_RUNTIME: 'podman' })).toThrow(refused);
  });
});

describe('LILAC_RUNTIME is left out', () => {
  it('the next worker of a running platform takes what the last one had', async () => {
    await using ready = await startPretendedEngine('ready');
    const { at } = openHome();
    expect(await takeRuntime(at(NOWHERE))).toBe('sandbox');
    expect(await takeRuntime(at(ready.socketPath))).toBe('sandbox');
  });

  it('so it does where the engine has lost its image, or is gone', async () => {
    await using ready = await startPretendedEngine('ready');
    await using lacking = await startPretendedEngine('lacks-image');
    const { at } = openHome();
    expect(await takeRuntime(at(ready.socketPath))).toBe('docker');
    expect(await takeRuntime(at(lacking.socketPath))).toBe('docker');
    expect(await takeRuntime(at(NOWHERE))).toBe('docker');
  });

  it.each(['ins_1', '.gone-0-ins_1-1'])('the next start of the platform, too, where %s is left', async (name) => {
    await using ready = await startPretendedEngine('ready');
    const { at, keep, leave, removeLeft } = openHome();
    keep('sandbox');
    leave(name);
    expect(await takeRuntime(at(ready.socketPath))).toBe('sandbox');
    keep('sandbox');
    removeLeft();
    expect(await takeRuntime(at(ready.socketPath))).toBe('docker');
  });

  it('what a runtime has besides instances keeps nothing', async () => {
    await using ready = await startPretendedEngine('ready');
    const { at, keep, leave } = openHome();
    keep('sandbox');
    for (const name of ['.stage', '.etc-0123456789abcdef']) leave(name);
    expect(await takeRuntime(at(ready.socketPath))).toBe('docker');
  });

  it('where no instance is left, an engine that does not answer yet is waited for, and one that lacks its image is not', async () => {
    await using lacking = await startPretendedEngine('lacks-image');
    const { at, keep } = openHome();
    keep('docker');
    expect(await takeRuntime(at(NOWHERE))).toBe('docker');
    keep('docker');
    expect(await takeRuntime(at(lacking.socketPath))).toBe('sandbox');
  });

  it('who looks is told what the worker has, and chooses only where there was none', async () => {
    await using ready = await startPretendedEngine('ready');
    const { at, keep } = openHome();
    expect(await runtimeInUse(at(ready.socketPath))).toBe('docker');
    expect(readRuntimeName(at(NOWHERE))).toBeNull();
    keep('sandbox');
    expect(await runtimeInUse(at(ready.socketPath))).toBe('sandbox');
  });
});

describe('the file that keeps it', () => {
  it('also says what is lacking, and neither is lost when the other is written', async () => {
    await using ready = await startPretendedEngine('ready');
    const { at } = openHome();
    const config = at(NOWHERE);
    await takeRuntime(config);
    writeIsolation(config, { name: 'sandbox', lacking: ['Something.'] });
    expect(await takeRuntime(at(ready.socketPath))).toBe('sandbox');
    expect(readLacking(config)).toEqual(['Something.']);
  });

  it('keeps nothing where it was written by a version that has other runtimes', () => {
    const config = openHome().at(NOWHERE);
    writeIsolation(config, { name: 'cloud', lacking: [] });
    expect(readRuntimeName(config)).toBeNull();
  });
});

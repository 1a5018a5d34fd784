import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { chooseRuntime } from './choose-runtime.ts';
import { startPretendedEngine } from './docker/testing/pretended-engine.ts';

const NOWHERE = '/nowhere/docker.sock';

afterEach(() => void vi.restoreAllMocks());

const runAs = (uid: number) => vi.spyOn(process, 'getuid').mockReturnValue(uid);

const choose = (socketPath: string, settings: Record<string, string> = {}) =>
  chooseRuntime(readConfig({ LILAC_DOCKER_HOST: `unix://${socketPath}`, ...settings }));

describe('LILAC_RUNTIME is given', () => {
  it.each(['sandbox', 'docker', 'swarm'])('%s is what it is, whatever is there', async (kind) => {
    await using ready = await startPretendedEngine('ready');
    for (const uid of [0, 1000]) {
      runAs(uid);
      expect(await choose(ready.socketPath, { LILAC_RUNTIME: kind })).toBe(kind);
      expect(await choose(NOWHERE, { LILAC_RUNTIME: kind })).toBe(kind);
    }
  });

  it('what there is not is refused, with what there is', () => {
    const refused = 'LILAC_RUNTIME must be sandbox, docker, swarm or left out, not "podman".';
    expect(() => readConfig({ LILAC_RUNTIME: 'podman' })).toThrow(refused);
  });
});

describe('LILAC_RUNTIME is left out', () => {
  it('docker for root, where an engine answers that has the stack image', async () => {
    await using ready = await startPretendedEngine('ready');
    runAs(0);
    expect(await choose(ready.socketPath)).toBe('docker');
  });

  it('sandbox for anybody else, also where such an engine answers', async () => {
    await using ready = await startPretendedEngine('ready');
    runAs(1000);
    expect(await choose(ready.socketPath)).toBe('sandbox');
  });

  it('sandbox where the engine lacks the stack image', async () => {
    await using lacking = await startPretendedEngine('lacks-image');
    runAs(0);
    expect(await choose(lacking.socketPath)).toBe('sandbox');
  });

  it('sandbox where no engine is installed', async () => {
    runAs(0);
    expect(await choose(NOWHERE)).toBe('sandbox');
  });

  it('sandbox where nobody answers at the socket', async () => {
    runAs(0);
    // It is there, and nobody listens at it.
    expect(await choose(import.meta.filename)).toBe('sandbox');
  });
});

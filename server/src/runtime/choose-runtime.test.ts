import { afterEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../config.ts';
import type { RuntimeKind } from '../config/runtime-settings.ts';
import { chooseRuntime } from './choose-runtime.ts';
import { startPretendedEngine } from './docker/testing/pretended-engine.ts';

const NOWHERE = '/nowhere/docker.sock';
/** It is there, and nobody listens at it. */
const SILENT = import.meta.filename;

afterEach(() => void vi.restoreAllMocks());

const runAs = (uid: number) => vi.spyOn(process, 'getuid').mockReturnValue(uid);

const choose = (socketPath: string, last: RuntimeKind | null = null) =>
  chooseRuntime(readConfig({ LILAC_DOCKER_HOST: `unix://${socketPath}` }), last);

describe('the runtime that is chosen', () => {
  it('docker for root, where an engine answers that has the stack image', async () => {
    await using ready = await startPretendedEngine('ready');
    runAs(0);
    expect(await choose(ready.socketPath)).toBe('docker');
    expect(await choose(ready.socketPath, 'sandbox')).toBe('docker');
  });

  it('sandbox for anybody else, also where such an engine answers', async () => {
    await using ready = await startPretendedEngine('ready');
    runAs(1000);
    expect(await choose(ready.socketPath)).toBe('sandbox');
    expect(await choose(ready.socketPath, 'docker')).toBe('sandbox');
  });

  it('sandbox where the engine lacks the stack image, whatever was before', async () => {
    await using lacking = await startPretendedEngine('lacks-image');
    runAs(0);
    expect(await choose(lacking.socketPath)).toBe('sandbox');
    expect(await choose(lacking.socketPath, 'docker')).toBe('sandbox');
  });

  it.each([
    ['no engine is installed', NOWHERE],
    ['nobody answers at the socket', SILENT],
  ])('sandbox where %s, but docker for who had it: the engine may only be slow to start', async (_, socketPath) => {
    runAs(0);
    expect(await choose(socketPath)).toBe('sandbox');
    expect(await choose(socketPath, 'sandbox')).toBe('sandbox');
    expect(await choose(socketPath, 'swarm')).toBe('sandbox');
    expect(await choose(socketPath, 'docker')).toBe('docker');
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { soleLeadership } from '../../jobs/leadership.ts';
import type { InstanceSpec } from '../runtime.ts';
import { claimTask, type ClaimDeps } from './claim-task.ts';
import { readClaims } from './claims.ts';
import type { SwarmEngine } from './engine.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { SwarmTask } from './swarm-tasks.ts';
import type { SwarmWorld } from './swarm-world.ts';

const spec = { id: 'ins_1', env: {}, slug: { hash: 'f'.repeat(64) } } as unknown as InstanceSpec;
const NOTE_OF_ANOTHER = `ins_2 ${new Date(0).toISOString()} 127.0.0.1 1 2`;

/** A task that is this process, and a swarm that has nothing else. */
async function openTask({ isAnothers = false } = {}) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const asked = `${request.method} ${request.url}`;
    if (asked !== 'GET /') heard.push(asked);
    const status = { state: 'waiting', instanceId: isAnothers ? 'ins_2' : null, exit: null, nodeVersion: '1' };
    response.end(JSON.stringify(asked === 'GET /' ? status : null));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  const { port: controlPort } = server.address() as AddressInfo;
  const labels: Record<string, string> = {};
  const Spec = { Name: 'lilac-1', Labels: labels, Mode: { Replicated: { Replicas: 1 } } };
  const service = { ID: 'service', Version: { Index: 1 }, Spec };
  const task = { ID: 'task', ServiceID: 'service', DesiredState: 'running', Status: { State: 'running' } } as SwarmTask;
  const engine: Partial<SwarmEngine> = {
    find: async () => service,
    tasks: async () => [task],
    nodes: async () => new Map(),
    async change(_id, decide) {
      Object.assign(labels, (await decide(service))?.labels);
    },
  };
  const objects = { stat: async () => ({}), presignGet: async () => 'http://127.0.0.1' };
  const reaches = { of: async () => ({}) };
  const shared = { engine, objects, reaches, leadership: soleLeadership, controlKey: Buffer.alloc(32) };
  const world = { ...shared, silent: new Set() } as unknown as SwarmWorld;
  const rest = { turns: new OneAtATime(), service, until: Date.now() + 60_000, wait: { end: () => {} } };
  const deps: ClaimDeps = { world, ...rest, tools: { mounts: [] } as unknown as ClaimDeps['tools'] };
  const claim = () => claimTask(spec, { task, place: { host: '127.0.0.1', port: 1, controlPort } }, deps);
  return { heard, labels, claim };
}

describe('a task that waits', () => {
  it('is noted and claimed', async () => {
    const { heard, labels, claim } = await openTask();
    expect(await claim()).toBe(true);
    expect(readClaims(labels).map(({ instanceId }) => instanceId)).toEqual(['ins_1']);
    expect(heard).toEqual(['POST /claim']);
  });

  it('is left to whoever has noted it since it was looked at', async () => {
    const { heard, labels, claim } = await openTask();
    labels['lilac.task.task'] = NOTE_OF_ANOTHER;
    expect(await claim()).toBe(false);
    expect(labels).toEqual({ 'lilac.task.task': NOTE_OF_ANOTHER });
    expect(heard).toEqual([]);
  });
});

describe('a task that says it is another instance', () => {
  it('is ended where that is noted nowhere: somebody gave it up', async () => {
    const { heard, claim } = await openTask({ isAnothers: true });
    expect(await claim()).toBe(false);
    expect(heard).toEqual(['POST /end']);
  });

  it('is left alone where it has been noted since it was looked at', async () => {
    const { heard, labels, claim } = await openTask({ isAnothers: true });
    labels['lilac.task.task'] = NOTE_OF_ANOTHER;
    expect(await claim()).toBe(false);
    expect(heard).toEqual([]);
  });
});

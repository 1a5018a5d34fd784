import { describe, expect, it } from 'vitest';
import { readClaims, withClaims } from './claims.ts';
import { addressOf, isLive, placeOf, type SwarmNode, type SwarmTask } from './swarm-tasks.ts';
import { exitOfTask } from './swarm-view.ts';

const node: SwarmNode = { ID: 'node', Status: { State: 'ready', Addr: '10.0.0.5' } };
const nodes = new Map([['node', node]]);
const ports = [
  { TargetPort: 8080, PublishedPort: 30_001 },
  { TargetPort: 47_990, PublishedPort: 30_002 },
];
const task = (changes: Partial<SwarmTask> = {}, state = 'running'): SwarmTask => ({
  ID: 'task',
  ServiceID: 'service',
  Slot: 1,
  NodeID: 'node',
  DesiredState: 'running',
  Status: { State: state, PortStatus: { Ports: ports } },
  ...changes,
});

describe('tasks of the swarm', () => {
  it('live while they are wanted, have not ended, and their machine is there', () => {
    expect(isLive(task(), nodes)).toBe(true);
    expect(isLive(task({ NodeID: undefined }, 'pending'), nodes)).toBe(true);
    expect(isLive(task({}, 'complete'), nodes)).toBe(false);
    expect(isLive(task({ DesiredState: 'shutdown' }), nodes)).toBe(false);
    expect(isLive(task(), new Map([['node', { ...node, Status: { State: 'down', Addr: '10.0.0.5' } }]]))).toBe(false);
    expect(isLive(task(), new Map())).toBe(false);
    const unknown = { ...node, Status: { State: 'unknown', Addr: '10.0.0.5' } };
    expect(isLive(task(), new Map([['node', unknown]]))).toBe(true);
  });

  it.each([
    ['its machine has told of no end', 'running'],
    ['the swarm has ended it, and begins another elsewhere', 'shutdown'],
    ['its machine was away for so long that it was given up', 'orphaned'],
  ])('are lost with their machine where %s', (_, state) => {
    expect(exitOfTask(task({}, state))).toEqual({ exitCode: null, isOutOfMemory: false, isMachineLost: true });
  });

  it('that ended by themselves are not lost with it, and nobody knows of those that are nowhere', () => {
    const ended = { exitCode: null, isOutOfMemory: false };
    for (const state of ['complete', 'failed', 'rejected']) expect(exitOfTask(task({}, state))).toEqual(ended);
    expect(exitOfTask(null)).toEqual(ended);
  });

  it('that were killed are not said to have run out of memory: nobody knows who killed them', () => {
    const Status = { State: 'failed', ContainerStatus: { ExitCode: 137 }, Err: 'task: non-zero exit (137)' };
    expect(exitOfTask(task({ Status }))).toEqual({ exitCode: null, isOutOfMemory: false });
  });

  it('are found where their machine publishes them, once they run', () => {
    expect(placeOf(task(), nodes)).toEqual({ host: '10.0.0.5', port: 30_001, controlPort: 30_002 });
    expect(placeOf(task({}, 'starting'), nodes)).toBeNull();
  });

  it('of a manager that knows no address of itself are found at the address of the manager', () => {
    expect(
      addressOf({ ...node, Status: { State: 'ready', Addr: '0.0.0.0' }, ManagerStatus: { Addr: '10.0.0.9:2377' } }),
    ).toBe('10.0.0.9');
  });
});

describe('claims', () => {
  it('come back from the labels as they went in, and leave other labels alone', () => {
    const claim = {
      taskId: 't1',
      instanceId: 'ins_1',
      host: '10.0.0.5',
      port: 1,
      controlPort: 2,
      startedAt: new Date(5000),
    };
    const labels = withClaims({ 'lilac.cpus': '1', 'lilac.task.old': 'ins_0 x y 1 2' }, [claim]);
    expect(readClaims(labels)).toEqual([claim]);
    expect(withClaims(labels, [])).toEqual({ 'lilac.cpus': '1' });
  });
});

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createCgroup,
  entrancesOf,
  freezeCgroup,
  hasRunOutOfMemory,
  membersOf,
  planCgroup,
  processorTime,
  setProcessorTime,
  thawCgroup,
} from './cgroup.ts';

const limits = { memoryMb: 64, cpus: 0.5, pids: 100, timeoutMs: 1 };
const all = ['cpu', 'memory', 'pids'] as const;

function makeParent(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-cgroup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('control groups, version 1', () => {
  it('write each limit where its controller is mounted', () => {
    const root = makeParent();
    const parents = all.map(
      (name) => ({ version: 1, controllers: [name], countsTime: false, path: join(root, name) }) as const,
    );
    const group = planCgroup(parents, 'one');
    createCgroup(group, limits);
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    expect(read('memory/one/memory.limit_in_bytes')).toBe('67108864');
    expect(read('memory/one/memory.kmem.tcp.limit_in_bytes')).toBe('16777216');
    expect(read('cpu/one/cpu.cfs_quota_us')).toBe('50000');
    expect(read('cpu/one/cpu.shares')).toBe('1024');
    expect(read('pids/one/pids.max')).toBe('100');
    expect(existsSync(join(root, 'cpu/one/pids.max'))).toBe(false);
    expect(entrancesOf(group)).toEqual(all.map((name) => join(root, name, 'one/cgroup.procs')));
  });

  it('tell that memory ran out', () => {
    const root = makeParent();
    const group = planCgroup([{ version: 1, controllers: ['memory'], countsTime: false, path: root }], 'one');
    mkdirSync(join(root, 'one'));
    writeFileSync(join(root, 'one/memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 0\n');
    expect(hasRunOutOfMemory(group)).toBe(false);
    writeFileSync(join(root, 'one/memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 2\n');
    expect(hasRunOutOfMemory(group)).toBe(true);
  });
});

describe('the members of a group', () => {
  it('are never those of a group that the platform itself is in: members are ended', () => {
    const root = makeParent();
    const group = planCgroup([{ version: 1, controllers: ['pids'], countsTime: false, path: root }], 'one');
    mkdirSync(join(root, 'one'));
    writeFileSync(join(root, 'one/cgroup.procs'), '41\n42\n');
    expect(membersOf(group)).toEqual([41, 42]);
    writeFileSync(join(root, 'one/cgroup.procs'), `41\n${process.pid}\n42\n`);
    expect(membersOf(group)).toEqual([]);
  });
});

describe('a group that is to stand still', () => {
  it.each([
    { version: 1, file: 'freezer.state', frozen: 'FROZEN', thawed: 'THAWED' },
    { version: 2, file: 'cgroup.freeze', frozen: '1', thawed: '0' },
  ] as const)('is frozen and thawed in version $version', ({ version, file, frozen, thawed }) => {
    const root = makeParent();
    const group = planCgroup([{ version, controllers: [], countsTime: false, path: root }], 'one');
    mkdirSync(join(root, 'one'));
    expect([freezeCgroup(group), thawCgroup(group)]).toEqual([false, false]);
    writeFileSync(join(root, 'one', file), '');
    expect(freezeCgroup(group)).toBe(true);
    expect(readFileSync(join(root, 'one', file), 'utf8')).toBe(frozen);
    writeFileSync(join(root, 'one', file), '');
    expect(thawCgroup(group)).toBe(true);
    expect(readFileSync(join(root, 'one', file), 'utf8')).toBe(thawed);
  });
});

describe('the share of processor time', () => {
  it('is held where it is less than the machine has', () => {
    expect(processorTime({ cpus: 1.5 }, 2).quotaUs).toBe(150_000);
    expect(processorTime({ cpus: 2 }, 2).quotaUs).toBeNull();
  });
});

describe('whom somebody waits for', () => {
  it.each([
    { version: 1, file: 'cpu.shares', urgent: '4096', usual: '1024' },
    { version: 2, file: 'cpu.weight', urgent: '400', usual: '100' },
  ] as const)(
    'has more of a busy machine in version $version, until it is slowed',
    ({ version, file, urgent, usual }) => {
      const root = makeParent();
      writeFileSync(join(root, 'cgroup.subtree_control'), 'cpu\n');
      const group = planCgroup([{ version, controllers: ['cpu'], countsTime: false, path: root }], 'one');
      createCgroup(group, { ...limits, isUrgent: true });
      expect(readFileSync(join(root, 'one', file), 'utf8')).toBe(urgent);
      setProcessorTime(group, 1);
      expect(readFileSync(join(root, 'one', file), 'utf8')).toBe(usual);
    },
  );
});

describe('control groups, version 2', () => {
  it('switch the controllers on, then write every limit in one place', () => {
    const root = makeParent();
    writeFileSync(join(root, 'cgroup.subtree_control'), 'cpu\n');
    const group = planCgroup([{ version: 2, controllers: all, countsTime: true, path: root }], 'one');
    createCgroup(group, limits);
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    expect(read('cgroup.subtree_control')).toBe('+memory +pids');
    expect(read('one/memory.max')).toBe('67108864');
    expect(read('one/cpu.max')).toBe('50000 100000');
    expect(read('one/cpu.weight')).toBe('100');
    expect(read('one/pids.max')).toBe('100');
  });

  it('tell that memory ran out', () => {
    const root = makeParent();
    const group = planCgroup([{ version: 2, controllers: all, countsTime: true, path: root }], 'one');
    mkdirSync(join(root, 'one'));
    writeFileSync(join(root, 'one/memory.events'), 'low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n');
    expect(hasRunOutOfMemory(group)).toBe(true);
  });
});

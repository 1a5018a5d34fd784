import { describe, expect, it } from 'vitest';
import { planInstance, type InstancePlan } from './plan-instance.ts';

const host = {
  isRoot: true,
  bubblewrap: '/usr/bin/bwrap',
  canOverlay: true,
  canForbidNamespaces: true,
  canFilterCalls: true,
  canStage: true,
  canLayer: true,
  cgroupFolders: [],
  limited: [],
  lacking: [],
};
const plan: InstancePlan = {
  host,
  folder: '/tmp',
  output: '/tmp',
  stage: '/tmp',
  settings: '/etc',
  slug: '/usr/share',
  tools: [{ kind: 'folder', from: '/usr/bin', at: '/home/tools/x', isWritable: false }],
  uid: 31_234,
  cgroup: [{ version: 2, controllers: ['memory'], countsTime: true, path: '/sys/fs' }],
  lease: { enter: ['nsenter', '--net=/run/netns/x', '--'], resolvConf: null },
  memoryMb: 512,
  command: 'npm start',
  cwd: '/home/app',
  env: { SECRET: 'hunter22' },
};

describe('the start of an instance', () => {
  it('enters its network, notes itself, enters its groups, mounts, drops every privilege, then shuts the sandbox', () => {
    const { argv } = planInstance(plan);
    const order = ['nsenter', 'unshare', 'note', 'enter', 'scratch', 'table', '--reuid', '/usr/bin/bwrap', 'npm start'];
    const places = order.map((word) => argv.lastIndexOf(word));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('outlives whoever began it', () => {
    const { argv, handedOver } = planInstance(plan);
    expect([...argv, handedOver.toString()].join(' ')).not.toMatch(/pdeathsig|die-with-parent/);
  });

  it('lays memory of half its limit over the tree, and mounts all in one go', () => {
    const { argv, mounts } = planInstance(plan);
    expect(argv.join(' ')).toContain(`size=${256 * 1024 ** 2}`);
    expect(mounts?.split('\n').filter(Boolean)).toHaveLength(4);
    expect(mounts).toMatch(/^overlay \S+\/app overlay X-mount.mkdir,lowerdir=\/usr\/share,/);
  });

  it.each([
    ['root', {}],
    ['root, where nothing can be laid over', { canLayer: false }],
    ['a plain user', { isRoot: false }],
    ['a plain user who may not mount', { isRoot: false, canStage: false, canLayer: false }],
    ['root without bubblewrap', { bubblewrap: null }],
  ])('puts no value into an argv (%s)', (_who, change) => {
    const { argv, handedOver, mounts } = planInstance({ ...plan, host: { ...host, ...change } });
    expect([...argv, mounts ?? ''].join('\0')).not.toContain('hunter22');
    expect(handedOver.toString()).toContain('hunter22');
  });
});

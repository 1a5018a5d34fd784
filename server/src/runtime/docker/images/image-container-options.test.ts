import { describe, expect, it } from 'vitest';
import { imageContainerOptions, type ImageContainerPlan } from './image-container-options.ts';
import { chooseEnded, isInstance } from './watch-written.ts';

const plan: ImageContainerPlan = {
  spec: { id: 'ins_1', command: 'nginx -g x', memoryMb: 512 },
  labels: {},
  env: { SECRET: 'a=b' },
  output: '/home/lilac/outputs/ins_1',
  network: { name: 'lilac-env_1', address: '10.213.36.18' },
  nameServers: [],
  calls: '{}',
  cpuQuotaUs: null,
  image: { name: 'lilac.invalid/a:art_1', user: 'node', command: ['entry', 'b c'], volumes: ['/data/', 'more', '/'] },
  isCommandItsOwn: true,
  first: { folder: '/home/lilac/run/first-1', at: '/run/lilac/first', argv: ['/run/lilac/first/ld.so'] },
};

const optionsOf = (changes: Partial<ImageContainerPlan> = {}) => imageContainerOptions({ ...plan, ...changes });
const asUser = (user: string) => optionsOf({ image: { ...plan.image, user } }).HostConfig;

describe('how an image is asked for', () => {
  it('as whom it says, and as root with no more than a server needs to become somebody else', () => {
    expect(optionsOf()).not.toHaveProperty('User');
    for (const user of ['node', '1000', 'www-data:0']) {
      expect(asUser(user)).toMatchObject({ CapDrop: ['ALL'] });
      expect(asUser(user)).not.toHaveProperty('CapAdd');
    }
    for (const user of ['', '0:0', 'root']) {
      expect(asUser(user)).toMatchObject({ CapDrop: ['ALL'] });
      const added = asUser(user)?.CapAdd as string[];
      for (const power of ['SYS_ADMIN', 'SYS_PTRACE', 'NET_RAW', 'NET_ADMIN', 'MKNOD', 'SETFCAP', 'SYS_CHROOT']) {
        expect(added).not.toContain(power);
      }
    }
    const guards = asUser('');
    expect(guards?.SecurityOpt).toContain('no-new-privileges');
    expect(guards).not.toHaveProperty('Privileged');
    // Its output is a file too, which grows as long as it runs and takes little room.
    expect(guards?.Ulimits).toEqual([{ Name: 'fsize', Soft: 1024 ** 4, Hard: 1024 ** 4 }]);
  });

  it('what it starts by itself is started, unless a command was set', () => {
    expect(optionsOf().Cmd).toEqual(['entry', 'b c']);
    expect(optionsOf({ isCommandItsOwn: false }).Cmd).toEqual(['nginx -g x']);
  });

  it('its volumes are memory, and of the machine it is shown its outputs and the first process', () => {
    const mounts = optionsOf().HostConfig?.Mounts as {
      Type: string;
      Source: string;
      Target: string;
      ReadOnly?: boolean;
    }[];
    expect(mounts.filter(({ Type }) => Type === 'tmpfs').map(({ Target }) => Target)).toEqual(['/data', '/more']);
    const writable = mounts.filter(({ Type, ReadOnly }) => Type === 'bind' && !ReadOnly).map(({ Source }) => Source);
    expect(writable.every((path) => path.startsWith(`${plan.output}/`))).toBe(true);
    const others = mounts.filter(({ Type, Source }) => Type === 'bind' && !writable.includes(Source));
    expect(others.map(({ Source, ReadOnly }) => [Source, ReadOnly])).toEqual([[plan.first.folder, true]]);
  });
});

const named = (name: string, id: string) => isInstance({ Names: [`/${name}`], Labels: { 'lilac.instance': id } });

describe('what counts as an instance', () => {
  it('is what bears its name: labels are handed on by whatever an image is built on', () => {
    expect(named('lilac-ins_1', 'ins_1')).toBe(true);
    expect(named('hungry_name', 'ins_1')).toBe(false);
    expect(named('lilac-../../x', '../../x')).toBe(false);
    expect(isInstance({ Names: ['/lilac-'], Labels: {} })).toBe(false);
  });
});

const writer = (instanceId: string, bytes: number) => ({ container: instanceId, instanceId, bytes });

describe('who is ended for what was written', () => {
  const [little, much] = [writer('a', 1), writer('b', 1e9)];

  it('who wrote too much; on a full disk who wrote most, and nobody who wrote little', () => {
    const room = { freeBytes: 1e12, totalBytes: 2e12 };
    const full = { freeBytes: 1e6, totalBytes: 2e12 };
    expect(chooseEnded([little, much], 2e9, room)).toEqual([]);
    expect(chooseEnded([little, much], 1e8, room)).toEqual([much]);
    expect(chooseEnded([little, much], 2e9, full)).toEqual([much]);
    expect(chooseEnded([little], 2e9, full)).toEqual([]);
  });
});

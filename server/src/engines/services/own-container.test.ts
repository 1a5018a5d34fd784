import { describe, expect, it } from 'vitest';
import { ownContainerId, sourceOf } from './own-container.ts';

const ID = 'a'.repeat(64);

describe('the container that the platform is in', () => {
  it('is told by the files that Docker gives each', () => {
    const line = `703 690 254:1 /var/lib/docker/containers/${ID}/hostname /etc/hostname rw,relatime - ext4 /dev/vda1 rw`;
    expect(ownContainerId(`22 1 0:21 / /proc rw - proc proc rw\n${line}\n`)).toBe(ID);
  });

  it('is none where nothing of that kind is mounted', () => {
    expect(ownContainerId('22 1 0:21 / /proc rw - proc proc rw\n')).toBeNull();
    expect(ownContainerId(`1 1 8:1 /data/containers/${ID}/mounts /srv rw - ext4 /dev/vda1 rw\n`)).toBeNull();
  });
});

describe('a path of a container', () => {
  const mounts = [
    { Source: '/var/lib/docker/volumes/lilac/_data', Destination: '/var/lib/lilac' },
    { Source: '/srv/fast', Destination: '/var/lib/lilac/databases' },
    { Source: '/run/docker.sock', Destination: '/var/run/docker.sock' },
  ];

  it('is known to the machine by the mount that is closest', () => {
    expect(sourceOf(mounts, '/var/lib/lilac')).toBe('/var/lib/docker/volumes/lilac/_data');
    expect(sourceOf(mounts, '/var/lib/lilac/run/x')).toBe('/var/lib/docker/volumes/lilac/_data/run/x');
    expect(sourceOf(mounts, '/var/lib/lilac/databases/dbs_1')).toBe('/srv/fast/dbs_1');
  });

  it('is not known where only the container has it', () => {
    expect(sourceOf(mounts, '/var/lib/lilac-other/x')).toBeNull();
    expect(sourceOf(mounts, '/opt/lilac')).toBeNull();
  });
});

import { expect, it } from 'vitest';
import { parseMountPoints } from './mount-points.ts';

it('reads where things are mounted, and whether others hear of what is mounted below', () => {
  const mountinfo = [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard',
    String.raw`42 27 254:0 /a\040b /srv/a\040b\134c rw,relatime shared:1 master:2 - ext4 /dev/vda rw`,
    '82 27 7:0 / /srv/ü rw,nosuid master:7 - xfs /dev/loop0 rw',
    '',
  ].join('\n');
  expect(parseMountPoints(mountinfo)).toEqual([
    { path: '/', isShared: false },
    { path: '/srv/a b\\c', isShared: true },
    { path: '/srv/ü', isShared: false },
  ]);
});

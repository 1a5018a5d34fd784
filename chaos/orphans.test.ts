import { chownSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHostTools } from '../server/src/runtime/network/host-tools.ts';
import { installationId, namespaceName } from '../server/src/runtime/network/names.ts';
import { findFirewalls } from '../server/src/runtime/network/testing/test-machine.ts';
import { uidOf } from '../server/src/sandbox/uids.ts';
import { newId } from '../server/src/lib/ids.ts';
import { leavesNoOrphan } from './invariants/orphans.ts';
import type { Scene } from './scene.ts';
import { isRootFor } from './testing/is-root-for.ts';
import { canMakeGroups, makeGroup } from './testing/make-group.ts';
import { openHome } from './testing/open-home.ts';
import { startListener, startProcess } from './testing/start-process.ts';
import { stillPeek, stillScene } from './testing/still-scene.ts';

const works = await findFirewalls();

const orphansOf = async (scene: Scene, peek = stillPeek()) =>
  (await leavesNoOrphan({ scene, peek })).map(({ about, what }) => `${about}: ${what}`);

/** One of each, so that no look can be left out unseen. */
describe('what a platform has left', () => {
  it('is nothing where it runs and has nothing else', async () => {
    using home = openHome();
    await using platform = await startListener();
    const scene = stillScene(home, { supervisorPid: platform.pid, publicPort: platform.port });
    expect(await orphansOf(scene)).toEqual([]);
  });

  it('is a process, a port, folders, objects, rows that are nobody’s, and entries and temporary files that have no name', async () => {
    using home = openHome();
    await using platform = await startListener();
    await using stray = await startProcess({ cwd: home.path });
    using temporary = openHome();
    const scene = stillScene(home, { supervisorPid: platform.pid, publicPort: 1, temporary: temporary.path });
    home.put('instances/ins_1/', 'objects/blobs/ab/abcd', 'strange');
    temporary.put('half');
    const needed = new Set(['manifests/art_1.json']);
    const orphans = await orphansOf(scene, stillPeek({ needed, abandoned: ['artifact art_2 of env_1 (whole)'] }));
    const strayProcess = `process ${stray.pid} (sleep 600 )`;
    expect(orphans).toEqual([
      `${strayProcess}: ${strayProcess} is left`,
      expect.stringContaining(`: port ${platform.port} of process ${platform.pid} `),
      'ins_1: instances/ins_1 is left',
      'object blobs/ab/abcd: object blobs/ab/abcd is left',
      'art_2: artifact art_2 of env_1 (whole) is left',
      'temporary file half: temporary file half is left',
      'entry strange of the home: entry strange of the home is left',
      'art_1: object manifests/art_1.json is missing',
    ]);
  });

  it.runIf(isRootFor('mount, make networks and own the files of others'))(
    'is a mount, a network, and a file where everybody may write',
    async () => {
      using home = openHome();
      using elsewhere = openHome();
      await using platform = await startListener();
      const organisationId = newId('org');
      const scene = stillScene(home, { supervisorPid: platform.pid, publicPort: platform.port, organisationId });
      const uid = uidOf(organisationId);
      chownSync(elsewhere.path, uid, uid);
      (scene.tracesBefore as Set<string>).delete(elsewhere.path);
      home.put('run/sandboxes/stage/');
      const point = `${home.path}/run/sandboxes/stage`;
      const namespace = namespaceName(installationId(home.path), 7);
      const tools = createHostTools();
      await tools.run(['mount', '-t', 'tmpfs', 'tmpfs', point]);
      await tools.run(['ip', 'netns', 'add', namespace]);
      try {
        expect(await orphansOf(scene)).toEqual([
          expect.stringContaining(`mount ${point} is left`),
          expect.stringContaining(`network ${namespace} is left`),
          expect.stringContaining(`${elsewhere.path} of user ${uid} is left`),
        ]);
      } finally {
        await tools.run(['ip', 'netns', 'delete', namespace]);
        await tools.run(['umount', point]);
      }
    },
  );

  it.runIf(works.includes('nftables'))('is a rule of the firewall', async () => {
    using home = openHome();
    await using platform = await startListener();
    const scene = stillScene(home, { supervisorPid: platform.pid, publicPort: platform.port });
    const tools = createHostTools();
    const table = `inet lilac_${installationId(home.path)}`;
    // Nothing leads to this chain, so that it is in nobody's way.
    await tools.run([
      'nft',
      `add table ${table}; add chain ${table} input; add rule ${table} input tcp dport 15999 accept`,
    ]);
    try {
      expect(await orphansOf(scene)).toEqual([expect.stringContaining('rule of the firewall for port 15999 is left')]);
    } finally {
      await tools.run(['nft', `delete table ${table}`]);
    }
  });

  it.runIf(canMakeGroups())('is a control group', async () => {
    using home = openHome();
    using group = makeGroup(home.path, 'ins_1');
    await using platform = await startListener();
    const scene = stillScene(home, { supervisorPid: platform.pid, publicPort: platform.port });
    expect(await orphansOf(scene)).toEqual([`ins_1: ${group.path} is left`]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../../lib/fault.ts';
import { createHostFetch } from '../host-fetch.ts';
import { commitStates, type CommitStatus, type HostAccess, type VcsHost } from '../vcs-host.ts';
import type { HostSubject } from './conformance-subject.ts';
import type { HostRig } from './host-rig.ts';

export function describeStatuses<R extends HostRig, H extends VcsHost>(name: string, subject: HostSubject<R, H>): void {
  describe(`${name}: commit statuses`, () => {
    let rig: R;
    let host: H;
    let ours: HostAccess;
    let status: CommitStatus;

    beforeAll(async () => {
      rig = await subject.startRig();
      host = subject.createHost(rig, createHostFetch());
      ours = await subject.accessTo(rig, 'acme');
      const repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
      const sha = await rig.push('acme/site', { files: { a: '2' } });
      const url = 'https://site.example.org/';
      status = { repository, sha, state: 'pending', context: 'lilac/production', description: 'Building', url };
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    it('tell how a deployment stands, one after the other', async () => {
      for (const state of commitStates) {
        await host.writeStatus(ours, { ...status, state, context: 'lilac/states', description: `It is ${state}.` });
      }
      const { url } = status;
      const written = await rig.statusesOf('acme/site', status.sha);
      expect(written).toEqual(
        commitStates.map((state) => ({ context: 'lilac/states', state, description: `It is ${state}.`, url })),
      );
    });

    it('are the same when they are written again, and stand beside those of other environments', async () => {
      const ofContext = async (context: string) =>
        (await rig.statusesOf('acme/site', status.sha)).filter((each) => each.context === context);
      for (const context of ['lilac/production', 'lilac/preview', 'lilac/production']) {
        await host.writeStatus(ours, { ...status, context });
      }
      expect(await ofContext('lilac/production')).toHaveLength(1);
      expect(await ofContext('lilac/preview')).toHaveLength(1);
      await host.writeStatus(ours, { ...status, state: 'success' });
      expect((await ofContext('lilac/production')).at(-1)).toMatchObject({ state: 'success' });
    });

    it('may say much, and say it shorter', async () => {
      await host.writeStatus(ours, { ...status, context: 'lilac/long', description: 'é'.repeat(400) });
      expect(await rig.statusesOf('acme/site', status.sha)).toContainEqual(
        expect.objectContaining({ context: 'lilac/long', description: expect.stringMatching(/^é{100}/) as string }),
      );
    });

    it('are refused in words where there is no such commit, or it is not for this access', async () => {
      const unknown = { ...status, sha: '1'.repeat(40) };
      await expect(host.writeStatus(ours, unknown)).rejects.toBeInstanceOf(Fault);
      const theirs = await subject.accessTo(rig, 'carol');
      await expect(host.writeStatus(theirs, status)).rejects.toBeInstanceOf(Fault);
      expect(await rig.statusesOf('acme/site', unknown.sha)).toEqual([]);
    });
  });
}

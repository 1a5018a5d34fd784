import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneBranches } from '../../testing/git-push.ts';
import { createHostFetch } from '../host-fetch.ts';
import type { HostAccess, HostRepository, VcsHost } from '../vcs-host.ts';
import type { HostSubject } from './conformance-subject.ts';
import type { HostRig } from './host-rig.ts';

export function describeRepositories<R extends HostRig, H extends VcsHost>(
  name: string,
  subject: HostSubject<R, H>,
): void {
  describe(`${name}: repositories`, () => {
    let rig: R;
    let host: H;
    let ours: HostAccess;
    let theirs: HostAccess;
    let shown: HostRepository;
    let hidden: HostRepository;
    const nobody: HostAccess = { kind: 'public' };
    const nowhere = { owner: 'acme', name: 'nowhere' };

    beforeAll(async () => {
      rig = await subject.startRig();
      host = subject.createHost(rig, createHostFetch());
      ours = await subject.accessTo(rig, 'acme');
      theirs = await subject.accessTo(rig, 'carol');
      shown = await rig.createRepository('acme/shown', { files: { 'index.html': 'hello' } });
      hidden = await rig.createRepository('acme/hidden', { isPrivate: true, files: { 'index.html': 'secret' } });
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    it('are listed all, in order, however many pages they are, and nobody else’s', async () => {
      const more: HostRepository[] = [];
      for (let index = 0; index < subject.pageSize; index += 1) {
        more.push(
          await rig.createRepository(`acme/many-${String(index).padStart(3, '0')}`, { isPrivate: index % 2 > 0 }),
        );
      }
      const others = await rig.createRepository('carol/hers', { isPrivate: true });
      const listed = await host.listRepositories(ours);
      expect(listed?.map(({ fullName }) => fullName)).toEqual(
        [shown, hidden, ...more].map(({ fullName }) => fullName).toSorted(),
      );
      expect(listed).toContainEqual(shown);
      expect(listed).toContainEqual(hidden);
      expect(await host.listRepositories(theirs)).toMatchObject([{ id: others.id, fullName: 'carol/hers' }]);
    });

    it('are found by their names', async () => {
      expect(await host.findRepository(ours, shown)).toEqual(shown);
      expect(await host.findRepository(ours, hidden)).toEqual(hidden);
      expect(await host.findRepository(nobody, shown)).toEqual(shown);
      expect(await host.findRepository(ours, nowhere)).toBeNull();
    });

    it('are found by their ids, by those alone whose they are', async () => {
      expect(await host.findRepositoryById(ours, shown.id)).toEqual(shown);
      expect(await host.findRepositoryById(ours, hidden.id)).toEqual(hidden);
      for (const { id } of [shown, hidden]) {
        expect(await host.findRepositoryById(theirs, id)).toBeNull();
        expect(await host.findRepositoryById(nobody, id)).toBeNull();
      }
    });

    it('are not there for those whom they are not for, when they are private', async () => {
      for (const access of [theirs, nobody]) {
        expect(await host.findRepository(access, hidden)).toBeNull();
        expect(await host.listBranches(access, hidden)).toBeNull();
        expect(await host.gitCredential(access, hidden)).toBeNull();
      }
    });

    it('have branches, as git has them, however many', async () => {
      const names = Array.from(
        { length: subject.pageSize },
        (_, index) => `feat/branch-${String(index).padStart(3, '0')}`,
      );
      const pushed = [];
      for (const branch of names) {
        pushed.push({ name: branch, sha: await rig.push('acme/hidden', { branch, files: { [branch]: 'x' } }) });
      }
      const listed = await host.listBranches(ours, hidden);
      expect(listed?.slice(0, -1)).toEqual(pushed);
      expect(listed?.at(-1)).toMatchObject({ name: 'main' });
      const credential = await host.gitCredential(ours, hidden);
      const cloned = await cloneBranches({ url: `${rig.url}/acme/hidden.git`, credential });
      expect(Object.fromEntries((listed ?? []).map((branch) => [branch.name, branch.sha]))).toEqual(cloned);
      expect(await host.listBranches(ours, nowhere)).toBeNull();
      expect((await host.listBranches(nobody, shown))?.map((branch) => branch.name)).toEqual(['main']);
    });

    it('are cloned by git with what it is given for them, and not without', async () => {
      const target = { url: `${rig.url}/acme/hidden.git`, credential: await host.gitCredential(ours, hidden) };
      expect(await cloneBranches(target)).toHaveProperty('main');
      await expect(cloneBranches({ ...target, credential: null })).rejects.toThrow('git fetch');
      const wrong = { ...target.credential!, password: `${target.credential?.password}x` };
      await expect(cloneBranches({ ...target, credential: wrong })).rejects.toThrow('git fetch');
      expect(await host.gitCredential(ours, nowhere)).toBeNull();
      await rig.createRepository('carol/secret', { isPrivate: true, files: { a: '1' } });
      await expect(cloneBranches({ ...target, url: `${rig.url}/carol/secret.git` })).rejects.toThrow('git fetch');
    });

    it.each(subject.narrowsCredentials ? ['each'] : [])('are %s opened by their own alone', async () => {
      const other = await rig.createRepository('acme/other', { isPrivate: true, files: { a: '1' } });
      const credential = await host.gitCredential(ours, hidden);
      await expect(cloneBranches({ url: `${rig.url}/acme/other.git`, credential })).rejects.toThrow('git fetch');
      const right = await host.gitCredential(ours, other);
      expect(await cloneBranches({ url: `${rig.url}/acme/other.git`, credential: right })).toHaveProperty('main');
    });
  });
}

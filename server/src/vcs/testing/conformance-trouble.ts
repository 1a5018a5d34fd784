import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { Fault } from '../../lib/fault.ts';
import { createHostFetch } from '../host-fetch.ts';
import { HostUnavailable, type CommitStatus, type HostAccess, type VcsHost } from '../vcs-host.ts';
import type { HostSubject } from './conformance-subject.ts';
import type { HostRig, RigTrouble } from './host-rig.ts';

export function describeTrouble<R extends HostRig, H extends VcsHost>(name: string, subject: HostSubject<R, H>): void {
  describe(`${name}: a host in trouble`, () => {
    let rig: R;
    let ours: HostAccess;
    let status: CommitStatus;
    beforeAll(async () => {
      rig = await subject.startRig();
      ours = await subject.accessTo(rig, 'acme');
      const repository = await rig.createRepository('acme/site', { isPrivate: true, files: { a: '1' } });
      const sha = await rig.push('acme/site', { files: { a: '2' } });
      status = {
        repository,
        sha,
        state: 'success',
        context: 'lilac/x',
        description: 'Live',
        url: 'https://x.example/',
      };
    });
    afterAll(() => rig[Symbol.asyncDispose]());

    /** All that is asked of a host, by one that has kept nothing, and by one that has. */
    const failuresOf = async (host: VcsHost): Promise<unknown[]> => {
      const name = status.repository;
      const asked = [
        host.listRepositories(ours),
        host.findRepository(ours, name),
        host.listBranches(ours, name),
        host.writeStatus(ours, status),
      ];
      const settled = await Promise.allSettled(asked);
      return settled.map((each) => (each.status === 'rejected' ? (each.reason as unknown) : null));
    };
    const secretsOf = async (host: VcsHost): Promise<string[]> => {
      const credential = await host.gitCredential(ours, status.repository);
      const token = ours.kind === 'person' ? ours.accessToken : '';
      return [credential?.password ?? '', token, rig.settings.clientSecret].filter(Boolean);
    };

    it.each(['down', 'slow'] as const)(
      'that is %s is said to be so, by its name and without a secret',
      async (kind) => {
        const fetch = createHostFetch({ timeoutMs: 1500 });
        const warm = subject.createHost(rig, fetch);
        const secrets = await secretsOf(warm);
        rig.trouble(kind);
        try {
          for (const host of [warm, subject.createHost(rig, fetch)]) {
            for (const failure of await failuresOf(host)) {
              expect(failure).toBeInstanceOf(HostUnavailable);
              expect((failure as HostUnavailable).message).toContain(new URL(rig.url).host);
              const told = inspect(failure, { depth: 20, showHidden: true });
              for (const secret of secrets) expect(told).not.toContain(secret);
            }
          }
        } finally {
          rig.trouble(null);
        }
        expect(await warm.findRepository(ours, status.repository)).toEqual(status.repository);
      },
    );

    /** By one that has kept nothing, while the rig is so. */
    const failuresWhile = async (trouble: RigTrouble): Promise<unknown[]> => {
      rig.trouble(trouble);
      try {
        return await failuresOf(subject.createHost(rig, createHostFetch()));
      } finally {
        rig.trouble(null);
      }
    };

    it.each([401, 403, 404])('behind a proxy that answers %d is not taken for the host', async (refuses) => {
      for (const failure of await failuresWhile({ refuses, by: 'proxy' })) {
        expect(failure).toBeInstanceOf(HostUnavailable);
      }
    });

    it.each([406, 409])('that refuses with %d, which nobody foresaw, is told in words', async (refuses) => {
      for (const failure of await failuresWhile({ refuses, by: 'host' })) {
        expect(failure).toBeInstanceOf(Fault);
        expect((failure as Fault).code).toBe('VA003');
        expect((failure as Fault).message).toContain('Not this time');
      }
    });

    it('that may not show something by law does not reach it', async () => {
      const [listed, found, branches, written] = await failuresWhile({ refuses: 451, by: 'host' });
      expect([listed, found, branches]).toEqual([null, null, null]);
      expect(written).toMatchObject({ code: 'VA003' });
    });

    it('that wants patience gets it', async () => {
      const clock = createFakeClock();
      const host = subject.createHost(rig, createHostFetch({ clock }));
      expect(await host.listBranches(ours, status.repository)).toHaveLength(1);
      rig.trouble({ rateLimited: 600 });
      try {
        const failure = await host.listBranches(ours, status.repository).catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(HostUnavailable);
        expect((failure as HostUnavailable).retryAfterSeconds).toBeGreaterThan(590);
        expect((failure as HostUnavailable).retryAfterSeconds).toBeLessThan(610);
        const { apiCalls } = rig;
        await expect(host.listBranches(ours, status.repository)).rejects.toBeInstanceOf(HostUnavailable);
        expect(rig.apiCalls).toBe(apiCalls);
      } finally {
        rig.trouble(null);
      }
      clock.advance(620_000);
      expect(await host.listBranches(ours, status.repository)).toHaveLength(1);
    });

    it('is left when whoever asked has gone', async () => {
      const host = subject.createHost(rig, createHostFetch());
      const leaving = new AbortController();
      rig.trouble('slow');
      try {
        const asked = host.listRepositories(ours, { signal: leaving.signal });
        leaving.abort(new Error('gone'));
        await expect(asked).rejects.toThrow('gone');
      } finally {
        rig.trouble(null);
      }
    });
  });
}

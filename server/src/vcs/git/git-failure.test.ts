import { describe, expect, it } from 'vitest';
import { remoteFault, throwIfStopped } from './git-failure.ts';
import type { Repository } from './repository.ts';

const repository: Repository = {
  provider: 'provider1',
  url: 'https://host.example/acme/docs.git',
  owner: 'acme',
  name: 'docs',
  credential: null,
};
const ended = (stderr: string) => ({ exitCode: 128, stdout: Buffer.alloc(0), stderr, stopped: null });
const LATE = 'host.example did not answer in time for acme/docs. Try again in a moment.';

describe('why a host did not give a repository', () => {
  it.each([
    ['Failed to connect to host.example port 443', /cannot be reached/],
    ['The requested URL returned error: 503', /an error of its own/],
    ['The requested URL returned error: 429', /fewer requests/],
    ['Operation too slow. Less than 1000 bytes/sec', /^host\.example did not answer in time for acme\/docs\./],
    ['fetch-pack: unexpected disconnect while reading', /The connection to host\.example broke/],
  ])('%s: it is the host that is down, and when to ask again', (stderr, message) => {
    expect(remoteFault(repository, ended(stderr))).toMatchObject({
      code: 'SV002',
      message: expect.stringMatching(message) as string,
      options: { retryAfterSeconds: 30 },
    });
  });

  it('a repository that is not there or not for everybody names the command', () => {
    const missing = ended('The requested URL returned error: 404');
    expect(remoteFault(repository, missing)).toMatchObject({
      code: 'VA003',
      message: expect.stringMatching(/has to be connected first, with "lilac vcs install"\.$/) as string,
    });
    expect(remoteFault({ ...repository, provider: 'provider2' }, missing)?.message).toMatch(
      /"lilac provider2 connect"\.$/,
    );
  });

  it('one that was ended for its slowness is the same as a slow host', () => {
    const slow = { ...ended(''), exitCode: null, stopped: 'timeout' } as const;
    expect(() => throwIfStopped(repository, slow)).toThrow(expect.objectContaining({ code: 'SV002', message: LATE }));
  });
});

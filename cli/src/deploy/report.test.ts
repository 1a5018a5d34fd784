import type { Deployment, Lilac } from '@lilac/sdk';
import { describe, expect, it } from 'vitest';
import type { Context } from '../frame/context.ts';
import { LiveLine } from '../terminal/live-line.ts';
import { report } from './report.ts';
import type { Started } from './start-deployment.ts';

const started: Started = {
  organisationId: undefined,
  applicationId: 'app_1',
  applicationName: '',
  environmentId: 'env_1',
  deploymentId: 'dep_1',
  url: 'http://shop.example.org',
  unlink: null,
};

interface Rollback {
  isLive: boolean;
  isJson?: boolean;
  isStopped?: boolean;
}

/** What becomes of a rollback to dep_1, which was released once before and so is healthy. */
async function rolledBack({ isLive, isJson = false, isStopped = !isLive }: Rollback) {
  const heard = { out: '', err: '', failure: '' };
  const write = (text: string) => void (heard.err += text);
  const line = new LiveLine({ write, width: 80, hasColours: false, hasUnicode: true, isLive: false });
  const served = { id: 'dep_2', is_live: true, commit_sha: null, started_at: '2026-01-01T12:00:00.000Z' };
  const lilac = { call: async () => [served] } as unknown as Lilac;
  const context = { isJson, print: async (text: string) => void (heard.out += text) } as unknown as Context;
  const deployment = {
    id: 'dep_1',
    status: 'healthy',
    error: null,
    is_live: isLive,
    stages: [{ stage: 'routing' }, ...(isStopped ? [] : [{ stage: 'released' }])],
    deployment_logs: ['==> Live at http://shop.example.org', ...(isStopped ? ['==> Stopped: Cancelled by Ada.'] : [])],
  };
  const ended = { lilac, started, deployment: deployment as unknown as Deployment, tookMs: 1000, isRollback: true };
  await report(context, line, ended).catch((error: Error) => (heard.failure = error.message));
  return heard;
}

describe('a rollback that has ended', () => {
  it('is live where the platform says that it is what is served', async () => {
    const { out, err, failure } = await rolledBack({ isLive: true });
    expect({ out, failure }).toEqual({ out: 'http://shop.example.org\n', failure: '' });
    expect(err).toContain('Live after');
  });

  it('fails where it was cancelled or overtaken, and says why and what is served', async () => {
    const { out, err, failure } = await rolledBack({ isLive: false });
    expect({ out, err }).toEqual({ out: '', err: '' });
    expect(failure).toContain('The rollback to dep_1 came to nothing. Stopped: Cancelled by Ada.');
    expect(failure).toContain('Served now: dep_2, 2026-01-01 12:00 UTC');
  });

  it('that was served until another took its place is not said to have come to nothing', async () => {
    const { failure } = await rolledBack({ isLive: false, isStopped: false });
    expect(failure).toContain('dep_1 was served again, and another one has taken its place since.');
  });

  it('tells programs so too', async () => {
    const { out } = await rolledBack({ isLive: false, isJson: true });
    expect(JSON.parse(out)).toMatchObject({
      deployment: { is_live: false },
      error: expect.stringContaining('came to nothing') as string,
    });
  });
});

import { ApiError, type Deployment, type Lilac } from '@lilac/sdk';
import { describe, expect, it } from 'vitest';
import { LiveLine } from '../terminal/live-line.ts';
import type { Started } from './start-deployment.ts';
import { takeBack } from './take-back.ts';

const started: Started = {
  organisationId: undefined,
  applicationId: 'app_1',
  applicationName: 'Shop',
  environmentId: 'env_1',
  deploymentId: 'dep_1',
  url: 'http://shop.example.org',
  unlink: null,
};

const conflict = new ApiError({
  status: 409,
  code: 'CF001',
  message: 'Visitors are being switched to this deployment.',
  errorId: null,
  retryAfterSeconds: null,
});

/** What is said where the platform refuses to cancel, or does it, and the deployment ends so. */
async function saidOf(
  end: Partial<Deployment>,
  { isRefused, before }: { isRefused: boolean; before?: string },
): Promise<string> {
  let said = '';
  const write = (text: string) => void (said += text);
  const line = new LiveLine({ write, width: 80, hasColours: false, hasUnicode: true, isLive: false });
  const answers: Record<string, () => unknown> = {
    'deployments.cancel': () => (isRefused ? Promise.reject(conflict) : {}),
    'deployments.get': () => ({ status: 'deploying' }),
    'deployments.list': () => [{ id: 'dep_0', is_live: true }],
  };
  const lilac = {
    call: async (name: string) => answers[name]!(),
    waitForDeployment: async () => end,
  } as unknown as Lilac;
  await takeBack(lilac, line, { ...started, ...(before && { before }) });
  return said;
}

describe('Ctrl-C while a deployment is under way', () => {
  it('cancels it, also while it is released', async () => {
    const said = await saidOf({ status: 'cancelled', error: 'Cancelled by ada.' }, { isRefused: false });
    expect(said).toContain('The deployment was cancelled. What was served before is still served.\n');
    expect(said).not.toContain('Too late');
  });

  it('says at once where it is too late, and then that it is served', async () => {
    const said = await saidOf({ status: 'healthy', error: null }, { isRefused: true });
    expect(said).toContain('Too late to cancel: visitors are being switched to it.');
    expect(said).toContain('It was released before it could be cancelled, and is served at http://shop.example.org\n');
    expect(said).toContain('To go back: lilac rollback\n');
  });

  it('never calls a deployment cancelled that has failed', async () => {
    const said = await saidOf({ status: 'failed', error: 'No edge is running.' }, { isRefused: true });
    expect(said).toContain('The deployment failed before it was cancelled. No edge is running. What was served before');
    expect(said).not.toContain('The deployment was cancelled');
  });
});

describe('Ctrl-C while a rollback is under way', () => {
  const healthy = { status: 'healthy', error: null } as const;

  it('cancels it, and never takes what was released once for served', async () => {
    const said = await saidOf({ ...healthy, is_live: false }, { isRefused: false, before: 'dep_0' });
    expect(said).toContain('The rollback was cancelled. What was served before is still served.\n');
    expect(said).not.toContain('It was released');
  });

  it('says what is served where another one was released meanwhile', async () => {
    const said = await saidOf({ ...healthy, is_live: false }, { isRefused: true, before: 'dep_9' });
    expect(said).toContain('The rollback came to nothing: dep_0 was released since, and is served.\n');
  });

  it('says how to go back where it was too late', async () => {
    const said = await saidOf({ ...healthy, is_live: true }, { isRefused: true, before: 'dep_0' });
    expect(said).toContain('It was released before it could be cancelled');
    expect(said).toContain('To go back: lilac rollback dep_0\n');
  });
});

import { describe, expect, it } from 'vitest';
import { createLilac, DeploymentFailed, WaitTimedOut } from './lilac.ts';
import { startFakePlatform, type Answers } from './testing/start-fake-platform.ts';

const STREAM = '/api/deployments/-/dep_1/stream';

interface Script {
  /** What each connection to the stream tells before it ends. */
  connections: string[];
  ended: { status: string; deployment_stage: string; error: string | null };
  /** Of the environment, in the order it is asked; the last stays. */
  environment?: string[];
}

const event = (id: number, name: string, data: object) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const log = (id: number, line: number) => event(id, 'log', { line, text: `line ${line}` });
const status = (id: number, value: string, stage: string) =>
  event(id, 'status', { status: value, deployment_stage: stage, at: '2026-01-01T00:00:00Z' });
const done = (id: number, value: string) => event(id, 'done', { status: value, error: null });

function playing({ connections, ended, environment = ['deploying', 'healthy'] }: Script): Answers {
  let isMoving = connections.length > 0;
  const state = () => ({ id: 'env_1', status: environment.length > 1 ? environment.shift() : environment[0] });
  const deployment = {
    id: 'dep_1',
    ...ended,
    deployment_logs: Array.from({ length: 30 }, (_, line) => `line ${line}`),
  };
  return {
    [STREAM](_, raw) {
      const text = connections.shift() ?? '';
      isMoving = connections.length > 0;
      raw.writeHead(200, { 'content-type': 'text/event-stream' }).end(`retry: 1\n\n${text}`);
      return null;
    },
    '/api/deployments': () => ({ json: [{ id: 'dep_1', status: isMoving ? 'building' : ended.status }] }),
    '/api/deployments/get': () => ({ json: deployment }),
    '/api/applications/get': () => ({
      json: {
        environments: [
          { id: 'env_0', is_production: false },
          { id: 'env_1', is_production: true },
        ],
      },
    }),
    '/api/environments/status': () => ({ json: state() }),
    '/api/environments/get': () => ({ json: { id: 'env_1', status: 'healthy', url: 'http://shop' } }),
  };
}

const healthy = { status: 'healthy', deployment_stage: 'released', error: null };
const failed = { status: 'failed', deployment_stage: 'building', error: 'npm run build ended with 1.' };

describe('waitForDeployment', () => {
  it('tells every line and state once, over connections that break, until it has ended', async () => {
    const connections = [
      log(1, 0) + status(2, 'building', 'building'),
      log(3, 1),
      status(4, 'failed', 'building') + done(5, 'failed'),
    ];
    await using platform = await startFakePlatform(playing({ connections, ended: failed }));
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const told: string[] = [];
    const deployment = await lilac.waitForDeployment('dep_1', {
      onLog: (text, line) => told.push(`${line}: ${text}`),
      onStatus: (progress) => told.push(progress.status),
    });
    expect(told).toEqual(['0: line 0', 'building', '1: line 1', 'failed']);
    expect(deployment.status).toBe('failed');
    expect(platform.of(STREAM).map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2', '3']);
  });

  it('gives up with WaitTimedOut, or with what the caller aborted with', async () => {
    await using platform = await startFakePlatform(playing({ connections: [], ended: healthy }));
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    await expect(lilac.waitForDeployment('dep_1', { timeoutMs: 50 })).rejects.toBeInstanceOf(WaitTimedOut);
    const signal = AbortSignal.abort(new Error('the person left'));
    await expect(lilac.waitForDeployment('dep_1', { signal })).rejects.toThrow('the person left');
  });
});

describe('waitUntilHealthy', () => {
  it('follows the deployment of production and answers the environment', async () => {
    const script = { connections: ['', done(1, 'healthy')], ended: healthy };
    await using platform = await startFakePlatform(playing(script));
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const environment = await lilac.waitUntilHealthy({ applicationId: 'app_1' });
    expect(environment).toMatchObject({ id: 'env_1', status: 'healthy' });
    expect(platform.of('/api/environments/status').map(({ body }) => body['environmentId'])).toEqual([
      'env_1',
      'env_1',
    ]);
  });

  it('throws DeploymentFailed with the stage, the reason and the last lines', async () => {
    await using platform = await startFakePlatform(
      playing({ connections: [], ended: failed, environment: ['degraded'] }),
    );
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const failure: unknown = await lilac.waitUntilHealthy({ environmentId: 'env_1' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DeploymentFailed);
    expect(failure).toMatchObject({ stage: 'building', error: failed.error, deployment: { id: 'dep_1' } });
    expect((failure as DeploymentFailed).lastLines.slice(-1)).toEqual(['line 29']);
    expect((failure as DeploymentFailed).lastLines).toHaveLength(20);
  });

  it('does not take the failure of the newest for the end while an older one is released again', async () => {
    const script = { connections: [], ended: failed, environment: ['deploying', 'healthy'] };
    await using platform = await startFakePlatform(playing(script));
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    expect(await lilac.waitUntilHealthy({ environmentId: 'env_1' })).toMatchObject({ status: 'healthy' });
  });

  it('waits for instances that crash, and says what it waited for when the time is over', async () => {
    await using platform = await startFakePlatform(
      playing({ connections: [], ended: healthy, environment: ['degraded'] }),
    );
    const lilac = createLilac({ baseUrl: platform.url, token: 'lc_x' });
    const wait = lilac.waitUntilHealthy({ environmentId: 'env_1' }, { timeoutMs: 100 });
    await expect(wait).rejects.toThrow('environment env_1 to be healthy');
  });
});

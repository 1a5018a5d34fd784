import { describe, expect, it } from 'vitest';
import { BuildFailed } from '../../build/builder.ts';
import { readAllLines } from '../../logs/testing/log-world.ts';
import { eventually } from '../../testing/eventually.ts';
import { cancelDeployment } from './cancel-deployment.ts';
import { createDeploymentsBench, type DeploymentsBench, type Subject } from './testing/deployments-bench.ts';
import { endless } from './testing/stand-in-builder.ts';
import { startStandInEdge } from './testing/stand-in-edge.ts';
import { news, tellEnvironment } from './tell-environment.ts';

const toldOf = async ({ store }: DeploymentsBench, { environment }: Subject) =>
  (await readAllLines(store.db, environment.id)).map(({ severity, message }) => `${severity} ${message}`);

const urlOf = ({ environment }: Subject) => expect.stringContaining(`//${environment.subdomain}.localhost`) as string;

describe('the log of an environment', () => {
  it('tells of a deployment from its build to its address, and of a rollback, by the deployment’s id', async () => {
    await using bench = await createDeploymentsBench();
    await using _edge = startStandInEdge(bench.store);
    const subject = await bench.settle();
    await bench.work();
    const first = await bench.deploy(subject);
    const second = await bench.deploy(subject);
    await bench.rollBack(subject, first.id);
    await bench.waitFor(first.id, 'healthy');
    const told = await toldOf(bench, subject);
    const each = [
      'INFO Build of main started.',
      'INFO Build succeeded (commit c0ffeec).',
      'INFO Release started (commit c0ffeec).',
      urlOf(subject),
    ];
    expect(told.slice(0, 8)).toEqual([...each, ...each]);
    expect(told[3]).toMatch(/^INFO Live at http\S+ \(commit c0ffeec\)\.$/);
    expect(told.slice(8)).toEqual([
      'INFO Rollback started (commit c0ffeec).',
      expect.stringMatching(/^INFO Rolled back\. Live at http\S+ \(commit c0ffeec\)\.$/),
    ]);
    const entries = await readAllLines(bench.store.db, subject.environment.id);
    const ids = entries.map(({ deploymentId }) => deploymentId);
    expect(ids).toEqual([...Array(4).fill(first.id), ...Array(4).fill(second.id), first.id, first.id]);
    expect(entries.every(({ instanceId }) => instanceId === null)).toBe(true);
  });

  it('tells why a build failed, in one line', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    bench.builder.next = () => Promise.reject(new BuildFailed('The build command failed:\n\u001b[2Jexit code 1.'));
    await bench.work();
    await bench.waitFor((await bench.start(subject)).id, 'failed');
    expect(await toldOf(bench, subject)).toEqual([
      'INFO Build of main started.',
      'ERROR Build failed. The build command failed: exit code 1.',
    ]);
  });

  it('tells of those that were cancelled or superseded, before they were built and while', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    await bench.start(subject);
    const second = await bench.start(subject);
    await cancelDeployment(bench.store.db, second, bench.caller);
    bench.builder.next = endless;
    await bench.work();
    const third = await bench.start(subject);
    await eventually('it builds', () => bench.builder.running() > 0);
    await cancelDeployment(bench.store.db, third, bench.caller);
    await bench.waitFor(third.id, 'cancelled');
    expect(await toldOf(bench, subject)).toEqual([
      'INFO A deployment was not built. Superseded by a newer deployment.',
      'INFO A deployment was not built. Cancelled by ada@example.org.',
      'INFO Build of main started.',
      'INFO Build stopped. Cancelled by ada@example.org.',
    ]);
  });

  it('tells why a release failed', async () => {
    await using bench = await createDeploymentsBench({ releaseTiming: { followMs: 50, absentMs: 50, returnMs: 50 } });
    const subject = await bench.settle();
    await bench.work();
    await bench.waitFor((await bench.start(subject)).id, 'failed');
    const told = await toldOf(bench, subject);
    expect(told.slice(2)).toEqual([
      'INFO Release started (commit c0ffeec).',
      expect.stringMatching(/^ERROR Release failed\. .*no edge is running/),
    ]);
  });

  it('tells nothing of what did not happen', async () => {
    await using bench = await createDeploymentsBench();
    const subject = await bench.settle();
    const started = await bench.start(subject);
    const failing = bench.store.db.transaction().execute(async (tx) => {
      await tellEnvironment(tx, started, news.buildFailed('No.'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await toldOf(bench, subject)).toEqual([]);
  });
});

describe('what is told', () => {
  const source = { id: 'dep_1', vcs_branch: 'main', commit_sha: 'abcdef0123', upload_name: null, released_at: null };
  const archive = { ...source, commit_sha: null, upload_name: 'shop.zip' };

  it.each([
    [news.buildStarted(source, false), 'INFO Build of main started.'],
    [news.buildStarted({ ...source, vcs_branch: null }, false), 'INFO Build of the archive started.'],
    [news.buildStarted(source, true), 'WARN The build was interrupted. It starts again from the beginning.'],
    [news.buildSucceeded({ ...source, commit_sha: null }), 'INFO Build succeeded.'],
    [news.releaseStarted(source), 'INFO Release started (commit abcdef0).'],
    [news.releaseStarted({ ...source, commit_sha: null }), 'INFO Release started (deployment dep_1).'],
    [news.releaseStarted(archive), 'INFO Release started (archive shop.zip).'],
    [news.live(archive, 'http://a'), 'INFO Live at http://a (archive shop.zip).'],
    [
      news.live({ ...archive, released_at: new Date() }, 'http://a'),
      'INFO Rolled back. Live at http://a (archive shop.zip).',
    ],
    [news.releaseStopped(source, 'Why.'), 'INFO Release stopped. Why.'],
    [news.releaseFailed({ ...source, released_at: new Date() }, 'Why.'), 'ERROR Rollback failed. Why.'],
    [news.lost('Why.'), 'ERROR A deployment failed. Why.'],
  ])('%o', ({ severity, message }, expected) => {
    expect(`${severity} ${message}`).toBe(expected);
  });
});

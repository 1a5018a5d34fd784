import { describe, expect, it } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { startTestEdge } from '../../testing/start-test-edge.ts';
import { writeRelease } from '../testing/write-release.ts';
import { openFaultyObjects } from './testing/faulty-objects.ts';

const LARGE = Buffer.alloc(700_000, 'lilac');

async function startElsewhere() {
  const store = openFaultyObjects();
  const files = { '/index.html': 'home', '/about.html': 'about', '/large.bin': { content: LARGE } };
  const { artifactId } = writeRelease(store.root, { files });
  const edge = await startTestEdge(null, { objects: store.objects });
  const target = { kind: 'static', artifactId, deploymentId: 'dep_1', revision: 1 } as const;
  const rest = { lock: null, accessLog: false, domain: null, atSubdomain: true, version: 1 };
  edge.routes.replaceAll([{ environmentId: 'env_1', subdomain: 'shop', target, ...rest }]);
  const visit = (path: string, headers = {}) => edge.call({ host: 'shop.apps.test', path, headers });
  return { ...store, visit };
}

describe('a site whose files are elsewhere', () => {
  it('answers small files, large ones and parts of them, each fetched once', async () => {
    const { visit, reads } = await startElsewhere();
    for (let round = 0; round < 2; round++) {
      expect(await visit('/')).toMatchObject({ status: 200, body: 'home' });
      const visitors = await Promise.all([1, 2, 3].map(() => visit('/large.bin')));
      for (const { body } of visitors) expect(body).toBe(LARGE.toString());
      const part = await visit('/large.bin', { Range: 'bytes=300000-300009' });
      expect(part).toMatchObject({ status: 206, body: LARGE.subarray(300_000, 300_010).toString() });
    }
    expect(reads).toHaveLength(3);
  });

  it('goes on without the store: what was fetched is served, and what was not says when to come again', async () => {
    const { visit, state } = await startElsewhere();
    await visit('/');
    state.mood = 'away';
    expect(await visit('/')).toMatchObject({ status: 200, body: 'home' });
    for (const path of ['/about', '/large.bin']) {
      expect(await visit(path)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    }
    state.mood = 'well';
    await eventually('it is served', async () => (await visit('/about')).body === 'about');
    await eventually('it is served', async () => (await visit('/large.bin')).body === LARGE.toString());
  });
});

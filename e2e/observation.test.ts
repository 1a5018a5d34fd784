import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../server/src/config.ts';
import { openStore } from '../server/src/db/pool.ts';
import { parseExposition } from '../server/src/modules/platform/testing/parse-exposition.ts';
import { storeAddressOf } from '../server/src/store/store-address.ts';
import { lilacJson, runLilac } from './operator-commands.ts';
import { startPlatform, until, type Platform } from './platform.ts';

const token = 'a-token-of-the-operator';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ env: { LILAC_METRICS_TOKEN: token, LILAC_EDGE_PROCESSES: '2' } });
});
afterAll(() => platform[Symbol.asyncDispose]());

async function scrape(options: { host?: string; token?: string } = {}): Promise<{ status: number; body: string }> {
  const headers = {
    host: options.host ?? `localhost:${platform.port}`,
    authorization: `Bearer ${options.token ?? token}`,
  };
  const asked = request({ host: 'localhost', port: platform.port, path: '/metrics', headers, agent: false });
  asked.end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode!, body: await text(answer) };
}

describe("the operator's metrics", () => {
  it('tell of every process of the platform', async () => {
    const rolesSeen = async () => {
      const family = parseExposition((await scrape()).body).get('lilac_process_cpu_seconds_total');
      return (family?.samples ?? []).map(({ labels }) => `${labels['role']} ${labels['place']}`).toSorted();
    };
    await until('all have written', async () => (await rolesSeen()).length >= 4);
    expect(await rolesSeen()).toEqual(['api 0', 'edge 0', 'edge 1', 'worker 0']);
    const { body } = await scrape();
    expect(body).toContain('lilac_edge_requests_total{');
    expect(body).toContain('lilac_instances_running{');
  });

  it("are for the token only, and at the platform's own address only", async () => {
    expect((await scrape({ token: 'another-token-altogether' })).status).toBe(401);
    for (const host of [`app.localhost:${platform.port}`, 'example.org']) {
      const { status, body } = await scrape({ host });
      expect(status).toBe(404);
      expect(body).not.toContain('lilac_process');
    }
  });

  it('never show the token in the log', () => {
    expect(platform.output()).not.toContain(token);
  });
});

describe('a failure that nobody expected', () => {
  it('is found by the id of its answer, while the platform runs and after it was stopped', async () => {
    const { organisationId } = await createOwner();
    const session = await lilacJson<{ token: string }>(
      ['admin', 'session', 'create', '--email', 'ada@example.org'],
      platform,
    );
    const store = openStore(storeAddressOf(readConfig({ LILAC_HOME: platform.home })), {
      max: 1,
      applicationName: 'test',
    });
    await store.pool.query('alter table projects rename to elsewhere');
    const answer = await fetch(`${platform.url}/api/projects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session.token}` },
      body: JSON.stringify({ targetOrganisationId: organisationId }),
    });
    await store.pool.query('alter table elsewhere rename to projects');
    await store.close();
    expect(answer.status).toBe(500);
    const { errorId } = (await answer.json()) as { errorId: string };
    const requestId = answer.headers.get('x-request-id')!;
    const findIt = (id: string) => runLilac(['admin', 'errors', id], { home: platform.home });
    await until('it is kept', async () => (await findIt(errorId)).exitCode === 0);
    expect((await findIt(requestId)).stdout).toContain('relation "projects" does not exist');
    const lines = platform.output().split('\n');
    expect(lines.find((line) => line.includes(errorId))).toContain(`"requestId":"${requestId}"`);
    await platform.stop();
    const { exitCode, stdout } = await findIt(errorId);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('projects.list (api)');
    expect(stdout).not.toContain(session.token);
  });
});

function createOwner(): Promise<{ organisationId: string }> {
  const named = ['--email', 'ada@example.org', '--organisation', 'Acme', '--password', 'correct horse battery'];
  return lilacJson(['admin', 'owner', 'create', ...named], platform);
}

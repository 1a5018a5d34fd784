import { request } from 'node:http';
import { expect, it } from 'vitest';
import { createStandInHosts } from '../modules/vcs/testing/stand-in-hosts.ts';
import { startStreaming } from '../testing/start-streaming.ts';
import { startTestEdge } from '../testing/start-test-edge.ts';
import type { WebhookRequest } from '../vcs/vcs-host.ts';

const MIB = 1024 * 1024;

function post(port: number, { headers, body }: WebhookRequest, framing: 'length' | 'chunked'): Promise<number> {
  const about = framing === 'length' ? { 'content-length': body.length } : { 'transfer-encoding': 'chunked' };
  return new Promise((resolve, reject) => {
    const sending = request(
      { port, method: 'POST', path: '/api/vcs-app/webhook', headers: { ...headers, ...about, host: 'localhost' } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode!);
      },
    );
    sending.once('error', reject);
    for (let at = 0; at < body.length; at += MIB) sending.write(body.subarray(at, at + MIB));
    sending.end();
  });
}

it('comes through the edge byte for byte, as large as hosts make them', async () => {
  const edge = await startTestEdge(null);
  const vcsHosts = createStandInHosts();
  await using api = await startStreaming({ socketPath: edge.paths.apiSocket, vcsHosts });
  const about = { kind: 'push', repository: { id: '1', fullName: 'a/b' }, installationId: 1, pusher: null } as const;
  const message = 'ö'.repeat(12 * MIB);
  for (const framing of ['length', 'chunked'] as const) {
    const delivery = vcsHosts.provider1.delivery([{ ...about, branch: 'main', sha: 'a', message }], { id: framing });
    expect(delivery.body.length).toBeGreaterThan(24 * MIB);
    expect(await post(edge.port, delivery, framing)).toBe(200);
    const altered = { ...delivery, body: Buffer.from(delivery.body).fill('x', 12 * MIB, 12 * MIB + 1) };
    expect(await post(edge.port, altered, framing)).toBe(401);
    const tooLarge = { ...delivery, body: Buffer.alloc(25 * MIB + 1, ' ') };
    expect(await post(edge.port, tooLarge, framing)).toBe(413);
  }
  const stored = await api.store.db.selectFrom('vcs_deliveries').select('delivery_id').orderBy('delivery_id').execute();
  expect(stored.map(({ delivery_id }) => delivery_id)).toEqual(['chunked', 'length']);
});

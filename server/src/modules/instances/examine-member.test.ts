import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SWITCHING_PROTOCOLS } from '../../testing/listen-raw.ts';
import { examineMember } from './examine-member.ts';
import type { FleetWorld } from './fleet-world.ts';
import { newMember } from './member.ts';

const url = 'https://app.example.test';
const hangs: RequestListener = () => {};
const switches: RequestListener = ({ socket }) => void socket.write(SWITCHING_PROTOCOLS);
const late: RequestListener = (_request, response) => void setTimeout(() => response.end(), 150);
const says =
  (status: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end();

async function examine(listener: RequestListener, rest: { healthPath?: string; doubts?: number; isSick?: boolean }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    listener(request, response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const member = newMember({ id: 'ins_1', deploymentId: 'dep_1', nowMs: 0 });
  member.address = { id: 'ins_1', host: '127.0.0.1', port };
  member.condition = rest.isSick ? 'sick' : 'up';
  const world = {
    timing: { checkWithinMs: 5000, healthWithinMs: 100, answerWithinMs: 100, sickMs: 200 },
    clock: { now: () => new Date() },
    board: { silentAt: () => rest.doubts ?? 0, busyAt: () => 0 },
  } as unknown as FleetWorld;
  const question = { deploymentId: 'dep_1', url, healthPath: rest.healthPath ?? null };
  const finding = await examineMember(world, member, question);
  return { kind: finding.kind, asked, again: () => examineMember(world, member, question) };
}

describe('looking at an instance', () => {
  it('asks nothing where nothing is wrong and no path is given', async () => {
    expect(await examine(says(200), {})).toMatchObject({ kind: 'well', asked: [] });
    expect(await examine(hangs, {})).toMatchObject({ kind: 'well', asked: [] });
  });

  it.each([
    [says(204), 'well'],
    [says(302), 'well'],
    [says(404), 'unwell'],
    [says(503), 'unwell'],
    [hangs, 'unwell'],
  ])('takes the health path at its word', async (listener, kind) => {
    const healthPath = '/ready?all';
    expect(await examine(listener, { healthPath })).toMatchObject({ kind, asked: ['app.example.test/ready?all'] });
  });

  it('finds that one hangs which edges doubt, and that it does not when it says anything', async () => {
    expect(await examine(hangs, { doubts: 1 })).toMatchObject({ kind: 'hung', asked: ['app.example.test/'] });
    expect(await examine(hangs, { doubts: 1, healthPath: '/h' })).toMatchObject({ kind: 'hung' });
    const slow = await examine(says(500), { doubts: 1 });
    expect(slow).toMatchObject({ kind: 'well', asked: ['app.example.test/'] });
    await slow.again();
    expect(slow.asked).toHaveLength(1);
  });

  it('takes another protocol, which it has not asked for, for no answer', async () => {
    const healthPath = '/health';
    expect(await examine(switches, { healthPath })).toMatchObject({ kind: 'unwell' });
    expect(await examine(switches, { healthPath, doubts: 1 })).toMatchObject({ kind: 'hung' });
    expect(await examine(switches, { isSick: true })).toMatchObject({ kind: 'hung' });
  });

  it('waits longer for one that is out already, and believes only an answer', async () => {
    expect(await examine(late, { isSick: true })).toMatchObject({ kind: 'well' });
    expect(await examine(hangs, { isSick: true })).toMatchObject({ kind: 'hung' });
  });
});

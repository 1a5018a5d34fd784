import { once } from 'node:events';
import { performServerHandshake } from 'node:http2';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { describe, expect, it } from 'vitest';
import type { InstancesTarget } from '../../../routing/route.ts';
import { instancesOf } from '../../instances/testing/gate-rig.ts';
import { startInstance, type Handler } from '../../instances/testing/start-instance.ts';
import { APP, startSecureEdge } from '../testing/start-secure-edge.ts';
import { eventually } from '../../../testing/eventually.ts';
import { flood, floodsOf, four, frame, WINDOW_UPDATE } from './testing/floods.ts';

/** What is answered before all of it is here is not listened to any more, and does no harm: so nothing is. */
const answerWhole: Handler = (request, response) => request.resume().once('end', () => response.end('home'));

const { constructor: ServerSession } = performServerHandshake(new PassThrough()).on('error', () => {});
/** Those that are over and that somebody holds count as well. */
const countSessions = (): number => queryObjects(ServerSession, { format: 'count' });

describe('an edge sends a client away, and goes on serving others, that sends without end', () => {
  it('of whom it then keeps nothing', async () => {
    const edge = await startSecureEdge();
    const before = countSessions();
    for (const frames of Object.values(floodsOf(APP))) {
      const socket = await edge.shake(APP, { ALPNProtocols: ['h2'] });
      await flood(socket, frames);
      socket.destroy();
    }
    await eventually('all sessions are gone', () => countSessions() <= before);
    expect((await (await edge.session()).get()).status).toBe(200);
  });

  it.each(Object.entries(floodsOf(APP)))('%s', async (_what, frames) => {
    const { address } = await startInstance('ins_1', answerWhole);
    const target: InstancesTarget = { ...instancesOf([], { concurrency: 500 }), instances: [address] };
    const edge = await startSecureEdge(null, { route: { target } });
    const other = await edge.session(APP, '127.0.0.2');
    const socket = await edge.shake(APP, { ALPNProtocols: ['h2'] });
    const ended = flood(socket, frames);
    for (let count = 0; count < 5; count++) expect((await other.get()).status).toBe(200);
    // Who breaks the protocol is heard no more at once, and is away a moment later.
    if (!(await ended)) await Promise.race([once(socket, 'close'), delay(5000)]);
    expect(socket.destroyed).toBe(true);
    expect(await other.get()).toMatchObject({ status: 200, body: 'home' });
  });

  it('but not one that tells us often how much it can take', async () => {
    const edge = await startSecureEdge();
    const socket = await edge.shake(APP, { ALPNProtocols: ['h2'] });
    expect(await flood(socket, () => frame(WINDOW_UPDATE, { content: four(1) }))).toBe(false);
    expect((await (await edge.session()).get()).status).toBe(200);
  });
});

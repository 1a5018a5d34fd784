import { once } from 'node:events';
import { constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { InstancesTarget } from '../../../routing/route.ts';
import { eventually } from '../../../testing/eventually.ts';
import { instancesOf } from '../../instances/testing/gate-rig.ts';
import { startInstance } from '../../instances/testing/start-instance.ts';
import { heldAnswers } from '../../instances/testing/start-served-edge.ts';
import { APP, startSecureEdge } from '../testing/start-secure-edge.ts';

describe('an edge goes on serving others when a client', () => {
  it('speaks something else than it has said', async () => {
    const edge = await startSecureEdge();
    const socket = (await edge.shake(APP, { ALPNProtocols: ['h2'] })).resume();
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
    expect((await (await edge.session()).get()).status).toBe(200);
  });

  it('takes back what it asks for, again and again', async () => {
    const edge = await startSecureEdge();
    const { open, session } = await edge.session();
    for (let count = 0; count < 3000 && !session.destroyed; count++) {
      open({ ':path': '/large.bin' }).close(constants.NGHTTP2_CANCEL);
      if (count % 50 === 0) await new Promise(setImmediate);
    }
    expect(await (await edge.session()).get()).toMatchObject({ status: 200, body: 'home' });
  });

  it('wants all that it can have: others get as much, and who never stops is sent away', async () => {
    const { held, handler } = heldAnswers();
    const instance = await startInstance('ins_1', handler);
    const target: InstancesTarget = { ...instancesOf([], { concurrency: 100 }), instances: [instance.address] };
    const edge = await startSecureEdge(null, { maxConnections: 40, route: { target } });
    const sessions = await Promise.all([1, 2, 3].map(() => edge.session()));
    for (const { open } of sessions) for (let count = 0; count < 20; count++) open({});
    await eventually('it has its share', () => held.length === 20);
    const other = await edge.session(APP, '127.0.0.2');
    const answer = other.get();
    await eventually('another gets in', () => held.length === 21);
    held[20]!.end('served');
    expect((await answer).body).toBe('served');
    const [{ open, session }] = sessions as [(typeof sessions)[0]];
    const goaway = once(session, 'goaway');
    for (let count = 0; count < 3000 && !session.destroyed; count++) {
      open({});
      if (count % 50 === 0) await new Promise(setImmediate);
    }
    expect((await goaway)[0]).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });

  it('sends more headers than anybody needs', async () => {
    const edge = await startSecureEdge((_request, response) => response.end('api'));
    const { get, call } = await edge.session('lilac.test');
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, 'x'.repeat(1000)]));
    expect((await get('/', many)).status).toBe(431);
    expect((await get('/', { 'x-large': 'x'.repeat(20_000) })).status).toBe(431);
    expect((await call({})).body).toBe('api');
  });

  it('leaves in the middle of its body', async () => {
    let broken = 0;
    const edge = await startSecureEdge((request, response) => {
      request.on('error', () => broken++).resume();
      request.once('end', () => response.end());
    });
    const { open, session } = await edge.session('lilac.test');
    open({ ':method': 'POST', 'content-length': 1000 }, true).write('some');
    await eventually('the api has it', () => edge.connections() > 0);
    session.destroy();
    await eventually('the api hears of it', () => broken === 1);
    expect((await (await edge.session()).get()).status).toBe(200);
  });

  it('breaks the protocol for the whole of its session, which ends', async () => {
    const edge = await startSecureEdge();
    const socket = (await edge.shake(APP, { ALPNProtocols: ['h2'] })).resume();
    // Settings, and then a window that grows by nothing (RFC 9113, 6.9).
    const frames = '00000004000000000000000408000000000000000000';
    socket.write(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from(frames, 'hex')]));
    await once(socket, 'close');
    expect((await (await edge.session()).get()).status).toBe(200);
  });

  it('says another length than its body has', async () => {
    const edge = await startSecureEdge((request, response) => {
      request.on('error', () => {}).resume();
      request.once('end', () => response.end('whole'));
    });
    const { call, open, get } = await edge.session('lilac.test');
    const other = open({ ':method': 'POST' }, true);
    for (const body of ['longer', '1']) {
      const stream = open({ ':method': 'POST', 'content-length': 3 }, true);
      stream.end(body);
      await eventually('it is over', () => stream.closed);
      expect(stream.rstCode).toBe(constants.NGHTTP2_PROTOCOL_ERROR);
    }
    // All that is in the same session goes on.
    other.end('body');
    expect(await text(other)).toBe('whole');
    expect((await get()).body).toBe('whole');
    expect((await call({ ':method': 'POST', 'content-length': 3 }, 'its')).body).toBe('whole');
  });
});

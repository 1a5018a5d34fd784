import { connect } from 'node:net';
import type { InstanceAddress } from '../../routing/route.ts';

/** Somebody listens there, nobody does, or there is not even a machine that would say so. */
export type Knock = 'taken' | 'refused' | 'silent';

/** An address that says nothing at all is tried again after this time. */
const SILENCE_MS = 1000;
/** What the kernel says of a machine that it cannot reach. */
const NOBODY_THERE = ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ETIMEDOUT'];

export function knock({ host, port }: InstanceAddress): Promise<Knock> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: SILENCE_MS });
    const end = (answer: Knock) => {
      resolve(answer);
      socket.destroy();
    };
    socket.once('connect', () => end('taken'));
    socket.once('timeout', () => end('silent'));
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      end(NOBODY_THERE.includes(code) ? 'silent' : 'refused'),
    );
  });
}

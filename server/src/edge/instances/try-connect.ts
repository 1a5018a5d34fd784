import { connect } from 'node:net';
import type { InstanceAddress } from '../../routing/route.ts';

/** An address that says nothing at all is tried again after this time. */
const SILENCE_MS = 1000;

/** Whether somebody listens there. */
export function tryConnect({ host, port }: InstanceAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: SILENCE_MS });
    const end = (isListening: boolean) => {
      resolve(isListening);
      socket.destroy();
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}

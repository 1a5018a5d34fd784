import type { Socket } from 'node:net';
import { readClientHello, type ClientHello } from './client-hello.ts';

/**
 * Hears what a client asks for, and leaves it unread. One that says nothing to be understood in time is closed, and
 * nobody hears of it.
 */
export function awaitHello(socket: Socket, limitMs: number, done: (hello: ClientHello) => void): void {
  let said: Buffer | null = null;
  const timer = setTimeout(() => socket.destroy(), limitMs).unref();
  const giveUp = () => void socket.destroy();
  socket.on('data', listen).on('end', giveUp).on('error', giveUp).on('close', forget);

  function listen(bytes: Buffer): void {
    said = said === null ? bytes : Buffer.concat([said, bytes]);
    const hello = readClientHello(said);
    if (hello === 'incomplete') return;
    if (hello === 'malformed') return giveUp();
    forget();
    socket.pause();
    socket.unshift(said);
    done(hello);
  }

  function forget(): void {
    clearTimeout(timer);
    socket.off('data', listen).off('end', giveUp).off('close', forget);
    // Of whoever has gone there may be more to hear, and nobody else listens yet.
    if (!socket.destroyed) socket.off('error', giveUp);
  }
}

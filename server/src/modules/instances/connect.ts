import { connect as open } from 'node:net';

/** Whether somebody takes connections there. */
export function canConnect(
  { host, port }: { host: string; port: number },
  { timeoutMs }: { timeoutMs: number },
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = open({ host, port });
    const end = (isUp: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(isUp);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    socket.once('connect', () => end(true)).on('error', () => end(false));
  });
}

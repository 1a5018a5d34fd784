import type { Writable } from 'node:stream';

/**
 * Writes as long as somebody is there. When the terminal is closed or the reader has gone, it is told once, and what
 * else is written is dropped: what a command has begun is still to be ended well.
 */
export function openOutput(stream: Writable, onLost: () => void): (text: string) => Promise<void> | undefined {
  let isLost = false;
  stream.on('error', () => {
    if (isLost) return;
    isLost = true;
    onLost();
  });
  return (text) => {
    if (isLost || stream.write(text)) return undefined;
    return new Promise((resolve) => {
      for (const event of ['drain', 'error', 'close']) stream.once(event, resolve);
    });
  };
}

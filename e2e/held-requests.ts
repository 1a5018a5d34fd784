import { request } from 'node:http';

/** A request that an instance has taken and does not finish. */
export interface HeldRequest {
  /** Which instance has it. */
  instance: string;
  /** It ended, and not by who asked. */
  isBroken(): boolean;
  giveUp(): void;
}

/**
 * Asks so often for what no server of ours ever finishes, and what nobody may ask twice: each says first whose it is.
 */
export function holdRequests(url: string, count: number): Promise<HeldRequest[]> {
  return Promise.all(Array.from({ length: count }, () => holdRequest(url)));
}

function holdRequest(url: string): Promise<HeldRequest> {
  const { host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let hasGivenUp = false;
    let isBroken = false;
    const asked = request({ host: '127.0.0.1', port, path: '/hold', method: 'POST', headers: { host }, agent: false });
    asked.on('error', reject);
    asked.once('response', (answer) => {
      answer.on('error', () => {});
      answer.once('close', () => (isBroken = !hasGivenUp));
      answer.setEncoding('utf8').once('data', (line: string) =>
        resolve({
          instance: line.trim(),
          isBroken: () => isBroken,
          giveUp() {
            hasGivenUp = true;
            asked.destroy();
          },
        }),
      );
    });
    asked.end();
  });
}

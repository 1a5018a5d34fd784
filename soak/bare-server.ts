import { once } from 'node:events';
import { start } from '../server/src/lib/exec.ts';
import type { Place } from './visits.ts';

const WORD = 'bare';
const PROGRAM = `
const server = require('node:http').createServer((_, answer) => answer.end('${WORD}'));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** A process that does nothing but answer: what its visitors wait is the machine's doing, whatever else runs on it. */
export async function startBareServer(): Promise<AsyncDisposable & { place: Place }> {
  const child = start([process.execPath, '-e', PROGRAM], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  const [port] = (await once(child.stdout!, 'data')) as [Buffer];
  return {
    place: { url: `http://127.0.0.1:${port.toString().trim()}`, path: '/', isRight: (body) => body === WORD },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

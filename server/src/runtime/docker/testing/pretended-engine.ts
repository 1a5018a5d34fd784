import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { STACK_IMAGE } from '../../stack-image.ts';

export interface PretendedEngine extends AsyncDisposable {
  socketPath: string;
}

/** Answers at a socket as an engine does that has the stack image, or lacks it, or hangs, or keeps containers apart. */
export async function startPretendedEngine(
  how: 'ready' | 'lacks-image' | 'hangs' | 'keeps-apart',
): Promise<PretendedEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-pretended-engine-'));
  const socketPath = join(folder, 'docker.sock');
  const server = createServer(({ url = '' }, answer) => {
    if (how === 'hangs') return;
    const found = find(how, decodeURIComponent(url));
    const body = found ?? { message: `No such image: ${STACK_IMAGE}` };
    answer.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(socketPath);
  await once(server, 'listening');
  return {
    socketPath,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function find(how: 'ready' | 'lacks-image' | 'keeps-apart', path: string): object | null {
  if (path.endsWith('/networks/bridge')) {
    return { Options: { 'com.docker.network.bridge.enable_icc': String(how !== 'keeps-apart') } };
  }
  return how !== 'lacks-image' && path.endsWith(`/images/${STACK_IMAGE}/json`) ? { Id: 'sha256:0' } : null;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RigTrouble } from './host-rig.ts';

/** How this host says that it wants to be left in peace for some seconds. */
export type RefuseByRate = (response: ServerResponse, seconds: number) => void;

export interface TroubleMaker {
  set(kind: RigTrouble): void;
  /** True when it has answered, or sees to it that nothing ever does. */
  hits(request: IncomingMessage, response: ServerResponse, options: { isApi: boolean }): boolean;
}

export function createTrouble(refuse: RefuseByRate): TroubleMaker {
  let trouble: RigTrouble = null;
  return {
    set: (kind) => void (trouble = kind),
    hits(request, response, { isApi }) {
      if (trouble === null) return false;
      if (trouble === 'slow') return true;
      if (trouble === 'down') request.socket.destroy();
      else if (!isApi) return false;
      else if ('refuses' in trouble) say(response, trouble);
      else refuse(response, trouble.rateLimited);
      return true;
    },
  };
}

/** Hosts say it in their own shape, what stands before them in a page for people. */
function say(response: ServerResponse, { refuses: status, by }: { refuses: number; by: 'host' | 'proxy' }): void {
  const type = by === 'host' ? 'application/json' : 'text/html';
  const body = by === 'host' ? JSON.stringify({ message: 'Not this time' }) : '<h1>Access denied</h1>';
  response.writeHead(status, { 'content-type': type }).end(body);
}

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
      else if (isApi) refuse(response, trouble.rateLimited);
      else return false;
      return true;
    },
  };
}

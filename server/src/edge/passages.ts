import { API_PURPOSE, OBJECTS_PURPOSE } from '../routing/api-purposes.ts';
import { createProxy } from './api-proxy.ts';
import type { ApiDirectory } from './apis/api-directory.ts';

export type Passage = ReturnType<typeof createProxy>;

/** Where requests are passed on to. */
export interface Passages {
  api: Passage;
  /** Uploads, at signed addresses. */
  objects: Passage;
  /** The edge's own way in: instances are the front's. */
  inside: Passage;
  close(): void;
}

export interface PassagesOptions {
  sockets: { api: string; objects: string; inside: string };
  /** How long a request waits for who restarts. */
  holdMs: number;
  /** The apis of other hosts; left out, there are none. */
  elsewhere?: ApiDirectory | undefined;
}

export function openPassages({ sockets, holdMs, elsewhere }: PassagesOptions): Passages {
  const api = createProxy({
    socketPath: sockets.api,
    holdMs,
    elsewhere: elsewhere && { directory: elsewhere, purpose: API_PURPOSE },
  });
  const objects = createProxy({
    socketPath: sockets.objects,
    holdMs,
    elsewhere: elsewhere && { directory: elsewhere, purpose: OBJECTS_PURPOSE },
  });
  const inside = createProxy({ socketPath: sockets.inside, holdMs });
  return { api, objects, inside, close: () => [api, objects, inside].forEach((passage) => passage.close()) };
}

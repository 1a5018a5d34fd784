import { createProxy } from './api-proxy.ts';

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
}

export function openPassages({ sockets, holdMs }: PassagesOptions): Passages {
  const [api, objects, inside] = [sockets.api, sockets.objects, sockets.inside].map((socketPath) =>
    createProxy({ socketPath, holdMs }),
  ) as [Passage, Passage, Passage];
  return { api, objects, inside, close: () => [api, objects, inside].forEach((passage) => passage.close()) };
}

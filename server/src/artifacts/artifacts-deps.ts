import type { Store } from '../db/pool.ts';
import type { Log } from '../lib/log.ts';
import type { ObjectStore } from '../objects/object-store.ts';

/** What packing, compressing and collecting work with. */
export interface ArtifactsDeps {
  store: Pick<Store, 'db'>;
  objects: ObjectStore;
  log: Log;
}

import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ObjectStore } from '../../objects/object-store.ts';

export interface UploadsDeps {
  store: Pick<Store, 'db'>;
  objects: ObjectStore;
  config: Pick<Config, 'uploadMaxBytes' | 'databases'>;
  clock: Clock;
}

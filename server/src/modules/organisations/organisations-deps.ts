import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';

export interface OrganisationsDeps {
  store: Pick<Store, 'db'>;
  clock: Clock;
  config: Pick<Config, 'publicUrl'>;
}

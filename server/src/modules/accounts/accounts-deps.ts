import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { AccessTokens } from './access-token.ts';

/** What the endpoints of this module stand on. A use case asks only for the part it needs. */
export interface AccountsDeps {
  store: Pick<Store, 'db'>;
  clock: Clock;
  keyring: Keyring;
  config: Pick<Config, 'publicUrl'>;
  accessTokens: AccessTokens;
  /** The platform secret under which the console back end encrypts passwords. */
  consolePasswordKey: Buffer;
}

export type StoreDeps = Pick<AccountsDeps, 'store' | 'clock'>;
export type SessionDeps = Pick<AccountsDeps, 'store' | 'clock' | 'accessTokens'>;
export type MfaDeps = Pick<AccountsDeps, 'store' | 'clock' | 'keyring'>;

import type { CertificateAuthority, ChallengeAnswers } from '../../certificates/certificate-authority.ts';
import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Keyring } from '../../secrets/keyring.ts';

export interface CertificatesDeps {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'acme' | 'domains' | 'builds' | 'tls'>;
  keyring: Keyring;
  clock: Clock;
  log: Log;
  /** Null: none is set up. */
  authority: CertificateAuthority | null;
  /** For one order. */
  openAnswers(signal: AbortSignal): ChallengeAnswers;
  /** Forgets answers that nobody took back. */
  sweepAnswers(): Promise<void>;
}

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { openLocalAuthority, type LocalAuthority } from '../../certificates/local/local-authority.ts';
import { localAuthorityPlace, type StoredLocalAuthority } from '../../certificates/local/local-authority-store.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { SecondChanceCache } from '../second-chance-cache.ts';
import { secureContextOf } from './secure-context.ts';
import type { TicketKeys } from './ticket-keys.ts';

/**
 * Of the names that are served; one that is not among the last is signed for anew, which costs less than its handshake.
 */
const MAX_LEAVES = 200;
/** Another is made in time. */
const LAST_PART_MS = 20 * 86_400_000;

interface Leaf {
  untilMs: number;
  authority: LocalAuthority;
  ticketKeys: Buffer;
  context: SecureContext;
}

export interface LocalLeavesOptions {
  keyring: Keyring;
  tickets: TicketKeys;
  clock: Clock;
  maxLeaves?: number;
}

/** Certificates for names that have none of a public authority: signed here when they are first asked for. */
export class LocalLeaves {
  readonly #options: LocalLeavesOptions;
  readonly #leaves: SecondChanceCache<Leaf>;
  #stored: StoredLocalAuthority | null = null;
  #authority: LocalAuthority | null = null;
  /** Of all leaves: whoever could read one in this process could read all. */
  #keys: { publicKey: KeyObject; privateKey: string } | null = null;

  constructor(options: LocalLeavesOptions) {
    this.#options = options;
    this.#leaves = new SecondChanceCache(options.maxLeaves ?? MAX_LEAVES);
  }

  /** Null: it is not known yet. */
  get stored(): StoredLocalAuthority | null {
    return this.#stored;
  }

  /** Throws when its key does not open. */
  learn(stored: StoredLocalAuthority): void {
    if (stored.certificate !== this.#stored?.certificate) {
      const privateKey = this.#options.keyring.open(stored.sealedKey, localAuthorityPlace);
      this.#authority = openLocalAuthority({ certificate: stored.certificate, privateKey });
    }
    this.#stored = stored;
  }

  /** Of one certificate for all these names; null: the authority is not known yet. */
  contextFor(names: readonly string[]): SecureContext | null {
    const { tickets, clock } = this.#options;
    const [now, ticketKeys, key] = [clock.now(), tickets.current(), names.join(' ')];
    const [leaf, authority] = [this.#leaves.get(key), this.#authority];
    const isFresh = leaf?.authority === authority && leaf?.ticketKeys === ticketKeys;
    if (leaf && isFresh && leaf.untilMs > now.getTime()) return leaf.context;
    if (!authority) return null;
    const { publicKey, privateKey } = (this.#keys ??= newKeys());
    const { chain, notAfter } = authority.sign(names, publicKey, now);
    const context = secureContextOf({ chain, privateKey, ticketKeys });
    this.#leaves.set(key, { untilMs: notAfter.getTime() - LAST_PART_MS, authority, ticketKeys, context }, 1);
    return context;
  }
}

function newKeys() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { publicKey, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

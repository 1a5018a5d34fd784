import type { SecureContext } from 'node:tls';
import type { Log } from '../../lib/log.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { SecondChanceCache } from '../second-chance-cache.ts';
import { chainOf, type HeldCertificate } from './certificate-table.ts';
import { secureContextOf } from './secure-context.ts';
import type { TicketKeys } from './ticket-keys.ts';

/** Each takes some 40 KB and, when it is made anew, less time than a handshake. */
const MAX_CONTEXTS = 500;

interface Made {
  version: number;
  ticketKeys: Buffer;
  context: SecureContext;
}

export interface CertificateContextsOptions {
  keyring: Keyring;
  tickets: TicketKeys;
  log: Log;
  maxContexts?: number;
}

/** What handshakes are made with, kept for the names that were asked for lately. */
export class CertificateContexts {
  readonly #options: CertificateContextsOptions;
  readonly #made: SecondChanceCache<Made>;
  /** The certificates of which was said that they cannot be shown. */
  readonly #told = new Set<string>();

  constructor(options: CertificateContextsOptions) {
    this.#options = options;
    this.#made = new SecondChanceCache(options.maxContexts ?? MAX_CONTEXTS);
  }

  /** Null: it cannot be shown, which is logged. */
  of(certificate: HeldCertificate): SecureContext | null {
    const ticketKeys = this.#options.tickets.current();
    const made = this.#made.get(certificate.hostname);
    if (made?.version === certificate.version && made.ticketKeys === ticketKeys) return made.context;
    try {
      const context = this.#make(certificate, ticketKeys);
      this.#made.set(certificate.hostname, { version: certificate.version, ticketKeys, context }, 1);
      return context;
    } catch (error) {
      this.#tell(certificate, error);
      return null;
    }
  }

  #make(certificate: HeldCertificate, ticketKeys: Buffer): SecureContext {
    const place = { table: 'certificates', row: certificate.id, column: 'private_key' } as const;
    const privateKey = this.#options.keyring.open(certificate.sealedKey, place);
    return secureContextOf({ chain: chainOf(certificate), privateKey, ticketKeys });
  }

  #tell({ id, version, hostname }: HeldCertificate, error: unknown): void {
    const which = `${id} ${version}`;
    if (this.#told.has(which)) return;
    this.#told.add(which);
    this.#options.log.error({ err: error, hostname }, 'A certificate cannot be shown');
  }
}

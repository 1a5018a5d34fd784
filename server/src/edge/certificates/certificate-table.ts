import type { ServedCertificate, WithdrawnCertificate } from '../../certificates/served-certificate-store.ts';
import { wildcardAbove } from '../address-key.ts';

/** A certificate in as little memory as it takes: there are thousands, and few of them are in use. */
export interface HeldCertificate {
  readonly id: string;
  readonly hostname: string;
  readonly version: number;
  /** The own certificate: its DER, a byte a character. */
  readonly leaf: string;
  /** Those of the authorities between, PEM: one text for all that have the same. */
  readonly authorities: string;
  /** Sealed PEM. */
  readonly sealedKey: string;
  readonly notAfterMs: number;
  /** A byte a character. */
  readonly ocsp: string | null;
}

/** Which certificate is shown for which name, in memory. */
export class CertificateTable {
  readonly #byName = new Map<string, HeldCertificate>();
  readonly #authorities = new Map<string, string>();

  get size(): number {
    return this.#byName.size;
  }

  /** The one of the very name, or that of the star above it. */
  find(hostname: string): HeldCertificate | undefined {
    const own = this.#byName.get(hostname);
    if (own !== undefined) return own;
    const above = wildcardAbove(hostname);
    return above === null ? undefined : this.#byName.get(above);
  }

  all(): IterableIterator<HeldCertificate> {
    return this.#byName.values();
  }

  /** As the store has it. One that cannot be shown takes away what was shown before. */
  put(certificate: ServedCertificate | WithdrawnCertificate): void {
    const held = this.#byName.get(certificate.hostname);
    if (certificate.chain === null) this.#byName.delete(certificate.hostname);
    else if (!held || !isSame(held, certificate)) this.hold(this.#compact(certificate));
  }

  hold(certificate: HeldCertificate): void {
    this.#shared(certificate.authorities);
    this.#byName.set(certificate.hostname, certificate);
  }

  /** What has none of these ids is gone. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const { id, hostname } of this.#byName.values()) if (!ids.has(id)) this.#byName.delete(hostname);
    this.#authorities.clear();
    for (const { authorities } of this.#byName.values()) this.#shared(authorities);
  }

  /** Texts are copied: a part of a text would keep the whole in memory. */
  #compact(certificate: ServedCertificate): HeldCertificate {
    const { id, hostname, version, chain, sealedKey, notAfter, ocsp } = certificate;
    const end = chain.indexOf(END);
    const base64 = chain.slice(chain.indexOf(BEGIN) + BEGIN.length, end);
    return {
      id,
      hostname,
      version,
      leaf: Buffer.from(base64, 'base64').toString('latin1'),
      authorities: this.#shared(chain.slice(end + END.length).trim()),
      sealedKey,
      notAfterMs: notAfter.getTime(),
      ocsp: ocsp?.toString('latin1') ?? null,
    };
  }

  /** The same text, as it was first seen. */
  #shared(authorities: string): string {
    const known = this.#authorities.get(authorities);
    if (known !== undefined) return known;
    const copy = Buffer.from(authorities, 'latin1').toString('latin1');
    this.#authorities.set(copy, copy);
    return copy;
  }
}

/** A key may be sealed anew without a new version. */
function isSame(held: HeldCertificate, { id, version, sealedKey }: ServedCertificate): boolean {
  return held.id === id && held.version === version && held.sealedKey === sealedKey;
}

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** PEM, the own certificate first. */
export function chainOf({ leaf, authorities }: HeldCertificate): string {
  return `${BEGIN}\n${Buffer.from(leaf, 'latin1').toString('base64')}\n${END}\n${authorities}`;
}

/** How one shows to an authority that a name is one's own. */
export interface ChallengeAnswers {
  /** To be answered at http://<name>/.well-known/acme-challenge/<token>. */
  publish(token: string, answer: string): Promise<void>;
  /** A TXT record at `_acme-challenge.<name>`; null: there is no way to create one. */
  createText: ((name: string, value: string) => Promise<void>) | null;
  /** One that whoever began the order before has created: it goes in the end as well. */
  adoptText(name: string, value: string): void;
  /** When the order is over, whichever way: not before, since two names of one order may share a record. */
  cleanUp(): Promise<void>;
}

export interface CertificateOrder {
  /** One, or a name and the wildcard above it. */
  hostnames: readonly string[];
  /** Of the certificate, PEM; an order that was begun before has the one with which it was begun. */
  privateKey: string;
  answers: ChallengeAnswers;
  /** An order that was begun before and not finished; it is taken up again where that can be done. */
  orderUrl: string | null;
  /** Told before anything else, so that it can be kept. */
  onOrder(url: string): Promise<void>;
  signal: AbortSignal;
}

/** Issues certificates that the world believes. Its promises fail with `AuthorityRefused` or `AuthorityUnavailable`. */
export interface CertificateAuthority {
  /** PEM: the own certificate first, then those of the authority; not its root. */
  issue(order: CertificateOrder): Promise<string>;
  /** The certificate is no longer to be believed. Whatever limits orders does not keep anybody from that. */
  revoke(chain: string): Promise<void>;
}

export interface FailureOptions {
  /** When one may come again at the earliest; null: no word of that. */
  retryAt?: Date | null;
  /** It is not about one name: nothing is ordered by this account until then. */
  isForAll?: boolean;
}

export interface RefusalOptions extends FailureOptions {
  forOperator?: string | null;
}

/** It has said no: the message is for the person who owns the name, and says what to do; not when it is tried again. */
export class AuthorityRefused extends Error {
  readonly retryAt: Date | null;
  readonly isForAll: boolean;
  /** What only whoever runs the platform may read; null: nothing. */
  readonly forOperator: string | null;

  constructor(message: string, { retryAt = null, isForAll = false, forOperator = null }: RefusalOptions = {}) {
    super(message);
    this.forOperator = forOperator;
    this.retryAt = retryAt;
    this.isForAll = isForAll;
  }
}

/** It will not declare a certificate void, since it has not issued it, or not to this account. */
export class CertificateUnknown extends AuthorityRefused {}

/** It cannot be reached, or is out of order. */
export class AuthorityUnavailable extends Error {
  readonly retryAt: Date | null;
  readonly isForAll: boolean;

  constructor(message: string, { retryAt = null, isForAll = false, cause }: FailureOptions & { cause?: unknown } = {}) {
    super(message, { cause });
    this.retryAt = retryAt;
    this.isForAll = isForAll;
  }
}

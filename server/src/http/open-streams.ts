import { Fault } from '../lib/fault.ts';
import { clientOf } from '../lib/rate-limit.ts';
import type { Caller } from './handler.ts';

export interface StreamLimits {
  perCaller: number;
  perAddress: number;
  /** However many keys and members it has: others find room, too. */
  perOrganisation: number;
  /** Of one api process: each stream holds a connection. */
  total: number;
}

const streamLimits: StreamLimits = { perCaller: 20, perAddress: 100, perOrganisation: 250, total: 1000 };

/** How long a client that reads nothing may keep its connection after the end. */
const LAST_BYTES_MS = 200;
const RETRY_AFTER_SECONDS = 5;

/** What one stream holds of an api; given back when its connection closes, however that comes about. */
export interface Place {
  /** To be called once the stream flows: how to end it. */
  occupy(finish: () => void, breakOff: () => void): void;
  end(): void;
  leave(): void;
}

type Whose = 'caller' | 'address' | 'organisation';
/** How many somebody may have. */
type Share = [holder: string, of: Whose, limit: number];

/** Who opens one; nobody in particular where that needs no credential. */
export interface Reader {
  caller: Caller | null;
  address: string;
  organisationId: string | null;
}

/** Every stream of this process: how many there may be, and who has to go when it stops. */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #held = new Map<string, number>();
  readonly #places = new Set<Place>();
  #isClosing = false;

  constructor(limits: StreamLimits = streamLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#places.size;
  }

  take({ caller, address, organisationId }: Reader): Place {
    const { perCaller, perAddress, perOrganisation, total } = this.#limits;
    if (this.#places.size >= total) throw crowded();
    const shares: Share[] = [[`address ${clientOf(address)}`, 'address', perAddress]];
    if (caller) shares.unshift([nameOf(caller), 'caller', perCaller]);
    if (organisationId !== null) shares.push([`organisation ${organisationId}`, 'organisation', perOrganisation]);
    for (const [holder, of, limit] of shares) if ((this.#held.get(holder) ?? 0) >= limit) throw tooMany(limit, of);
    const holders = shares.map(([holder]) => holder);
    for (const holder of holders) this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
    return this.#open(holders);
  }

  /** Their clients come back, to whoever listens then. */
  endAll(): void {
    this.#isClosing = true;
    for (const place of this.#places) place.end();
  }

  #open(holders: readonly string[]): Place {
    let stop: { finish: () => void; breakOff: () => void } | null = null;
    let lastBytes: NodeJS.Timeout | undefined;
    const place: Place = {
      occupy: (finish, breakOff) => {
        stop = { finish, breakOff };
        // It came while the api was closing already: a client that is answered at all comes back.
        if (this.#isClosing) place.end();
      },
      end() {
        if (!stop) return;
        lastBytes ??= setTimeout(stop.breakOff, LAST_BYTES_MS);
        stop.finish();
      },
      leave: () => {
        clearTimeout(lastBytes);
        if (!this.#places.delete(place)) return;
        for (const holder of holders) this.#giveBack(holder);
      },
    };
    this.#places.add(place);
    return place;
  }

  #giveBack(holder: string): void {
    const left = this.#held.get(holder)! - 1;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
  }
}

function nameOf(caller: Caller): string {
  return caller.kind === 'key' ? `key ${caller.keyId}` : `user ${caller.userId}`;
}

function tooMany(limit: number, of: Whose): Fault {
  const whose = { caller: 'You have', address: 'Your address has', organisation: 'Your organisation has' }[of];
  return new Fault(
    'CA009',
    `${whose} ${limit} streams open, as many as one ${of} may have. Close one, then open this one.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

function crowded(): Fault {
  return new Fault('SV002', 'As many streams are open as this platform can hold. Try again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

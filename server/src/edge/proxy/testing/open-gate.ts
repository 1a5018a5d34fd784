import type { ExchangeOutcome, Gate, Waiter } from '../../instances/gate.ts';
import { startsTooLong } from '../../pages/app-errors.ts';
import { UpstreamPool } from '../upstream-pool.ts';

/** A gate without limits in front of one instance, which remembers what it was told. */
export class OpenGate implements Gate {
  readonly environmentId = 'env_1';
  readonly isPrivate = false;
  readonly outcomes: ExchangeOutcome[] = [];
  pool: UpstreamPool;
  inFlight = 0;
  refusals = 0;
  /** Places at which an answer began. */
  answered = 0;
  /** How often a request that found nobody is given another place, before it is refused. */
  maxRefusals = 0;
  onRefusal = () => {};
  /** While it is closed, requests wait. */
  isClosed = false;
  readonly waiting = new Set<Waiter>();

  constructor(port: number) {
    this.pool = new UpstreamPool({ id: 'ins_1', host: '127.0.0.1', port });
  }

  take(waiter: Waiter): void {
    if (this.isClosed) this.waiting.add(waiter);
    else this.#give(waiter);
  }

  cancel(waiter: Waiter): void {
    this.waiting.delete(waiter);
  }

  open(): void {
    this.isClosed = false;
    for (const waiter of this.waiting) {
      this.waiting.delete(waiter);
      this.#give(waiter);
    }
  }

  #give(waiter: Waiter): void {
    this.inFlight++;
    const end = once(() => this.inFlight--);
    waiter.onPlace({
      instanceId: this.pool.address.id,
      pool: this.pool,
      answered: () => this.answered++,
      release: (outcome) => {
        end();
        this.outcomes.push(outcome);
      },
      refused: () => {
        end();
        this.onRefusal();
        if (this.refusals++ < this.maxRefusals) this.take(waiter);
        else waiter.onRefused(startsTooLong);
      },
    });
  }
}

/** A place that is given back twice is a bug that no test should overlook. */
function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) throw new Error('A place was given back twice.');
    isDone = true;
    act();
  };
}

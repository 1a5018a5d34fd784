import type { LineWriter } from '../../logs/line-writer.ts';
import type { Route } from '../../routing/route.ts';
import { describeAccess, severityOfAccess } from './access-line.ts';

/** Takes the lines of requests that are over. */
export type AccessLog = Pick<LineWriter, 'add'>;

/** A request of an environment whose requests are written down, until it is over. */
export class Access {
  /** The instance that it was passed on to. */
  instanceId: string | null = null;
  readonly #log: AccessLog;
  readonly #environmentId: string;
  readonly #deploymentId: string | null;
  readonly #method: string;
  readonly #target: string;
  readonly #startedAtMs = performance.now();
  #isOver = false;

  constructor(log: AccessLog, { environmentId, target }: Route, request: { method: string; target: string }) {
    this.#log = log;
    this.#environmentId = environmentId;
    this.#deploymentId = target?.deploymentId ?? null;
    this.#method = request.method;
    this.#target = request.target;
  }

  /** Writes the line; once, however often it is called. */
  end(status: number, bytes: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const facts = { method: this.#method, target: this.#target, status, bytes, instanceId: this.instanceId };
    this.#log.add(this.#environmentId, {
      atMs: Date.now(),
      severity: severityOfAccess(status),
      message: describeAccess({ ...facts, ms: performance.now() - this.#startedAtMs }),
      instanceId: null,
      deploymentId: this.#deploymentId,
    });
  }
}

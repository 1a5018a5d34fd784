import type { ChildProcess } from '../lib/exec.ts';
import { createBackoff } from './backoff.ts';
import type { Output } from './output.ts';
import { SAYS_ALIVE_EVERY_MS, type FromRole, type RoleName, type ToRole } from './role-messages.ts';
import { StartRefused } from './start-refused.ts';

export interface RoleProcessOptions {
  role: RoleName;
  /** Starts the program, with a channel to it. */
  launch: () => ChildProcess;
  output: Output;
  /** The role has another process, or none. */
  onChange: () => void;
  /** How often it is looked whether it has said that it lives. */
  lookEveryMs?: number;
}

/** By as many of our own looks, and not by the clock: where the whole machine stood still, so did we. */
const SILENT_LOOKS = 6;

/** One process of a role, started again whenever it ends or hangs, until it is told to stop. */
export class RoleProcess {
  /** Settles when it was ready for the first time; rejects when it says that it cannot run. */
  readonly firstReady: Promise<void>;
  readonly role: RoleName;
  readonly #options: RoleProcessOptions;
  readonly #first = Promise.withResolvers<void>();
  readonly #backoff = createBackoff();
  readonly #listeners = new Set<(message: FromRole) => void>();
  readonly #endListeners = new Set<() => void>();
  #child: ChildProcess | null = null;
  #restart: NodeJS.Timeout | undefined;
  #isReady = false;
  #isStopping = false;
  /** Looks since it was last heard. */
  #silence = 0;

  constructor(options: RoleProcessOptions) {
    this.#options = options;
    this.role = options.role;
    this.firstReady = this.#first.promise;
    setInterval(() => this.#look(), options.lookEveryMs ?? SAYS_ALIVE_EVERY_MS).unref();
    this.#start();
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  send(message: ToRole): void {
    // It may be dying; then the message is lost, and so is whoever wanted it.
    if (this.#child?.connected) this.#child.send(message, () => {});
  }

  onMessage(listener: (message: FromRole) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whenever its process has ended, before there is another. */
  onEnd(listener: () => void): void {
    this.#endListeners.add(listener);
  }

  /** Lets it finish and starts a new one. */
  restart(): void {
    this.send({ type: 'stop', isFinal: false });
  }

  /** From here on it may end, and is not started again. It is asked to wait until it is stopped. */
  expectEnd(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    clearTimeout(this.#restart);
    this.send({ type: 'await-turn' });
  }

  /** Lets it finish, up to the given time. One that is still starting has nothing to finish. */
  async stop(timeoutMs: number): Promise<void> {
    this.expectEnd();
    const child = this.#child;
    if (!child) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#isReady ? timeoutMs : 0);
    this.send({ type: 'stop', isFinal: true });
    await ended;
    clearTimeout(timer);
  }

  #start(): void {
    const { launch, output, role, onChange } = this.#options;
    const child = launch();
    const startedAt = Date.now();
    this.#child = child;
    if (child.stdout) output.follow(role, child.stdout);
    if (child.stderr) output.follow(role, child.stderr);
    child.on('message', (message) => this.#receive(message as FromRole));
    child.on('error', (error) => {
      // Without a pid there will be no exit.
      if (child.pid === undefined) this.#ended(startedAt, error.message);
    });
    child.once('exit', (code, signal) => this.#ended(startedAt, signal ?? `exit code ${code}`));
    onChange();
  }

  /** One that is starting, or told to stop, has its own time for that. */
  #look(): void {
    if (!this.#isReady || this.#isStopping) return;
    this.#silence++;
    if (this.#silence < SILENT_LOOKS) return;
    this.#silence = 0;
    this.#options.output.say('error', `${this.role} hangs; it is ended`, { pid: this.pid });
    this.#child?.kill('SIGKILL');
  }

  #receive(message: FromRole): void {
    this.#silence = 0;
    if (message.type === 'ready') {
      this.#isReady = true;
      this.#first.resolve();
    }
    if (message.type === 'refused') this.#first.reject(new StartRefused(message.message));
    for (const listener of this.#listeners) listener(message);
  }

  #ended(startedAt: number, how: string): void {
    this.#child = null;
    this.#isReady = false;
    this.#options.onChange();
    for (const listener of this.#endListeners) listener();
    if (this.#isStopping) return;
    const waitMs = this.#backoff.delayAfter(Date.now() - startedAt);
    this.#options.output.say('warn', `${this.role} ended (${how}); starting it again`, { waitMs });
    this.#restart = setTimeout(() => this.#start(), waitMs);
  }
}

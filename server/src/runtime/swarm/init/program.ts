import { closeSync, openSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { start } from '../../../lib/exec.ts';
import { inner } from '../../inner-paths.ts';
import { InstanceOutputs } from '../../output/instance-outputs.ts';
import { outputFilesOf } from '../../output/output-files.ts';
import type { Exit, Usage } from '../../runtime.ts';
import type { Claim, Reach, TaskSecret, TaskStatus } from './agreement.ts';
import { asProgram } from './as-program.ts';
import { bringParcel } from './bring-parcel.ts';
import { Firewall } from './firewall.ts';
import { holdOutput } from './hold-output.ts';
import { countOutOfMemory, readMemoryBytes, readOwnBytes, readProcessorSeconds } from './own-group.ts';
import { endAll, processesOf, signalAll } from './program-processes.ts';

const OUTPUT_ROOT = '/var/lib/lilac-output';
/** Shells tell by this that a signal ended a program. */
const SIGNALS = { from: 129, to: 192 };

/** The one program of this task: it waits to be claimed, is brought, runs, ends; then its output is still here. */
export class Program {
  readonly outputs: InstanceOutputs;
  readonly #secret: TaskSecret;
  #claim: Claim | null = null;
  #starting: Promise<void> | null = null;
  #firewall: Firewall | null = null;
  #state: TaskStatus['state'] = 'waiting';
  #exit: Exit | null = null;
  #over = Promise.withResolvers<Exit>();
  #before = { seconds: 0, outOfMemory: 0 };
  #hurry = new AbortController();
  #letOutputBe = () => {};

  constructor(secret: TaskSecret) {
    this.#secret = secret;
    const log = {
      error: (fields: object, message: string) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`),
    };
    this.outputs = new InstanceOutputs({ root: OUTPUT_ROOT, log });
  }

  status(): TaskStatus {
    const instanceId = this.#claim?.instanceId ?? null;
    return { state: this.#state, instanceId, exit: this.#exit, nodeVersion: process.versions.node };
  }

  get instanceId(): string {
    return this.#claim?.instanceId ?? '';
  }

  /**
   * Resolves when it runs. False when somebody else has claimed it. The caller is the address that the claim came from.
   */
  async claim(claim: Claim, caller: string | undefined): Promise<boolean> {
    if (this.#claim && this.#claim.instanceId !== claim.instanceId) return false;
    this.#claim ??= claim;
    await (this.#starting ??= this.#start(this.#claim, caller));
    return true;
  }

  async setReach(reach: Reach): Promise<void> {
    await this.#firewall?.setReach(reach);
  }

  over(): Promise<Exit> {
    return this.#over.promise;
  }

  usage(): Omit<Usage, 'cpus'> | null {
    if (this.#state !== 'running') return null;
    const cpuSeconds = Math.max(0, readProcessorSeconds() - this.#before.seconds);
    return { cpuSeconds, memoryBytes: Math.max(0, readMemoryBytes() - readOwnBytes()) };
  }

  /** Asks every process to end, and ends them after the grace; whoever asks again with less patience hurries it. */
  async stop(graceMs: number): Promise<void> {
    await this.#starting?.catch(() => {});
    if (this.#state !== 'running') return;
    // One that stands still would not hear that it is to end.
    this.#letOutputBe();
    const patience = new AbortController();
    void delay(graceMs, undefined, { signal: patience.signal }).then(
      () => this.#hurry.abort(),
      () => {},
    );
    await this.#ask();
    await this.#over.promise;
    patience.abort();
  }

  /** A shell may start the next program only after it was asked: it is asked again. */
  async #ask(): Promise<void> {
    const { uid } = this.#secret;
    const asked = new Set<number>();
    while (this.#state === 'running' && !this.#hurry.signal.aborted) {
      const pids = processesOf(uid).filter((pid) => !asked.has(pid));
      signalAll(pids, 'SIGTERM');
      for (const pid of pids) asked.add(pid);
      await Promise.race([delay(20), this.#over.promise]);
    }
    if (this.#state === 'running') await endAll(uid);
  }

  async #start(claim: Claim, caller: string | undefined): Promise<void> {
    this.#state = 'preparing';
    try {
      const { uid } = this.#secret;
      this.#firewall = new Firewall(claim.port, claim.reach);
      // First: connections that began before it are not known to it, and what they still bring may never come.
      await this.#firewall.close(caller);
      await Promise.all(claim.parcels.map((parcel) => bringParcel(parcel, { uid, withinMs: claim.fetchWithinMs })));
      this.#run(claim);
      this.#firewall.follow();
    } catch (error) {
      this.#end({ exitCode: null, isOutOfMemory: false });
      throw error;
    }
  }

  #run(claim: Claim): void {
    const { uid, command, workDirectory, env } = this.#secret;
    for (const folder of [inner.home]) {
      mkdirSync(folder, { recursive: true });
      chownSync(folder, uid, uid);
    }
    const folder = this.outputs.make(claim);
    const files = outputFilesOf(folder);
    const [stdout, stderr] = [openSync(files.stdout, 'a', 0o600), openSync(files.stderr, 'a', 0o600)];
    this.outputs.keepTrimmed();
    this.#before = { seconds: readProcessorSeconds(), outOfMemory: countOutOfMemory() };
    const child = start(asProgram(uid, ['/bin/sh', '-c', command]) as [string, ...string[]], {
      cwd: join(inner.app, join('/', workDirectory)),
      env: { ...env, ...claim.env, PORT: String(claim.port) },
      stdio: ['ignore', stdout, stderr],
      detached: true,
    });
    closeSync(stdout);
    closeSync(stderr);
    this.#state = 'running';
    this.#letOutputBe = holdOutput({ outputs: this.outputs, instanceId: claim.instanceId, folder, uid });
    child.once('error', () => this.#finish(null));
    child.once('exit', (code) => this.#finish(code));
  }

  /** Only the first process counts: what it leaves behind goes with it. */
  #finish(code: number | null): void {
    const exitCode = code !== null && code >= SIGNALS.from && code <= SIGNALS.to ? null : code;
    const isOutOfMemory = code !== 0 && countOutOfMemory() > this.#before.outOfMemory;
    this.#letOutputBe();
    void endAll(this.#secret.uid).then(() => this.#end({ exitCode, isOutOfMemory }));
  }

  #end(exit: Exit): void {
    this.#state = 'ended';
    this.#exit = exit;
    this.#over.resolve(exit);
  }
}

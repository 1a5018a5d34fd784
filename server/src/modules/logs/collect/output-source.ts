import type { InstanceOutput, OutputPart, OutputPosition } from '../../../runtime/runtime.ts';
import type { EnvironmentIntake } from './environment-intake.ts';
import { StreamReader, type StreamBytes } from './stream-reader.ts';

/** The output of one instance, and how far it is read. */
export class OutputSource {
  readonly instanceId: string;
  readonly environmentId: string;
  /** How far it is stored; null where the store knows nothing of it yet. */
  stored: OutputPosition | null;
  /** All that there was at the last look was read, and nothing more will come. */
  isExhausted = false;
  readonly #stdout: StreamReader;
  readonly #stderr: StreamReader;

  constructor({ instanceId, environmentId, deploymentId }: InstanceOutput, stored: OutputPosition | null) {
    this.instanceId = instanceId;
    this.environmentId = environmentId;
    this.stored = stored;
    const labels = { instanceId, deploymentId };
    this.#stdout = new StreamReader('stdout', labels, stored?.stdout ?? 0);
    this.#stderr = new StreamReader('stderr', labels, stored?.stderr ?? 0);
  }

  get readTo(): OutputPosition {
    return { stdout: this.#stdout.readTo, stderr: this.#stderr.readTo };
  }

  /** What may be noted as stored with what is in the intake. */
  get takenTo(): OutputPosition {
    return { stdout: this.#stdout.takenTo, stderr: this.#stderr.takenTo };
  }

  get isToBeStored(): boolean {
    const { stdout, stderr } = this.takenTo;
    return stdout !== (this.stored?.stdout ?? 0) || stderr !== (this.stored?.stderr ?? 0);
  }

  /** The output is read, taken and stored: nobody needs it any more. */
  get isDrained(): boolean {
    return this.isExhausted && this.#stdout.isTaken && this.#stderr.isTaken && !this.isToBeStored;
  }

  /** Before anything is made of a part, and also of an empty one. */
  look(part: OutputPart): void {
    this.#stdout.look(bytesOf(part, 'stdout'));
    this.#stderr.look(bytesOf(part, 'stderr'));
  }

  /** `isOver`: nothing was to come after this part. */
  push(part: OutputPart, intake: EnvironmentIntake, { isOver, nowMs }: { isOver: boolean; nowMs: number }): void {
    const { writtenAt } = part;
    const stdout = bytesOf(part, 'stdout');
    const stderr = bytesOf(part, 'stderr');
    const isErrorFirst = writtenAt.stderr < writtenAt.stdout;
    // Which of two lines came first nobody noted; but the stream that was silent last probably was before.
    if (isErrorFirst) this.#stderr.push(stderr, intake, nowMs);
    this.#stdout.push(stdout, intake, nowMs);
    if (!isErrorFirst) this.#stderr.push(stderr, intake, nowMs);
    this.isExhausted = isOver && part.stdout.length + part.stderr.length === 0;
    if (!this.isExhausted) return;
    this.#stdout.finish(intake, nowMs);
    this.#stderr.finish(intake, nowMs);
  }

  leaveBehind(): void {
    this.#stdout.leaveBehind();
    this.#stderr.leaveBehind();
  }
}

function bytesOf(part: OutputPart, name: keyof OutputPosition): StreamBytes {
  const { position, unreadBytes, writtenAt } = part;
  return { bytes: part[name], position: position[name], unreadBytes: unreadBytes[name], writtenAt: writtenAt[name] };
}

/** Another program did the work and has said what there was to say; its exit code is ours. */
export class EndedWith extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`It ended with ${exitCode}.`);
    this.exitCode = exitCode;
  }
}

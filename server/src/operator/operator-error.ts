/** A command that cannot do its work; says why, and what to do. */
export class OperatorError extends Error {
  readonly advice: string;

  constructor(problem: string, advice: string, options?: ErrorOptions) {
    super(problem, options);
    this.advice = advice;
  }
}

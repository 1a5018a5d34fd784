/** What may be told of an error besides its text. Others may hold rows of the store, or what somebody sent. */
const TOLD = ['code', 'syscall', 'path', 'address', 'port', 'table', 'column', 'constraint'] as const;

export interface DescribedError {
  type: string;
  message: string;
  stack?: string;
  cause?: DescribedError;
  errors?: DescribedError[];
  [told: string]: unknown;
}

/** Deeper causes are seldom there, and might be a ring. */
const DEEPEST = 5;

/** An error as a log shows it: who, why and where, with its causes. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: textOf(error) };
  const { name, message, stack, cause } = error;
  const fields = error as unknown as Record<string, unknown>;
  const told = TOLD.filter((field) => ['string', 'number'].includes(typeof fields[field]));
  const inner = (each: unknown) => describeError(each, depth + 1);
  return {
    type: error.constructor.name || name,
    message,
    ...(stack && { stack }),
    ...Object.fromEntries(told.map((field) => [field, fields[field]])),
    ...(cause !== undefined && depth < DEEPEST && { cause: inner(cause) }),
    ...(error instanceof AggregateError && depth < DEEPEST && { errors: error.errors.map(inner) }),
  };
}

/** Its stack and those of its causes, as one text. */
export function stackOf({ type, message, stack, cause, errors }: DescribedError): string {
  const own = stack ?? `${type}: ${message}`;
  return [own, ...[cause ?? [], errors ?? []].flat().map((inner) => `Caused by: ${stackOf(inner)}`)].join('\n');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

import { harmless } from '../../lib/harmless-text.ts';

/** What an authority says of a failure (RFC 7807, RFC 8555 §6.7). */
export interface Problem {
  /** `dns`, `rateLimited`, …; empty where it does not say. */
  type: string;
  detail: string;
  /** Which name it is about; null: all. */
  name: string | null;
  subproblems: Problem[];
}

/** An answer that is a refusal. */
export class AcmeProblem extends Error {
  readonly problem: Problem;
  readonly status: number;
  /** When one may come again; null: no word of that. */
  readonly retryAt: Date | null;

  constructor(problem: Problem, { status, retryAt }: { status: number; retryAt: Date | null }) {
    super(problem.detail || `The certificate authority answers ${status}.`);
    this.problem = problem;
    this.status = status;
    this.retryAt = retryAt;
  }
}

const PREFIX = 'urn:ietf:params:acme:error:';
const MAX_DETAIL = 400;

/** Whatever came, as a problem: it is somebody else's text. */
export function readProblem(value: unknown): Problem {
  const given = isObject(value) ? value : {};
  const { type, detail, identifier, subproblems } = given;
  const text = typeof detail === 'string' ? harmless(detail.replaceAll(/\s+/g, ' ')).trim() : '';
  return {
    type: typeof type === 'string' && type.startsWith(PREFIX) ? type.slice(PREFIX.length) : '',
    detail: text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text,
    name: isObject(identifier) && typeof identifier.value === 'string' ? identifier.value : null,
    subproblems: Array.isArray(subproblems) ? subproblems.map(readProblem) : [],
  };
}

/** Seconds, or a date. */
export function readRetryAfter(header: string | undefined, now: Date): Date | null {
  if (header === undefined) return null;
  const at = /^\d+$/.test(header) ? now.getTime() + Number(header) * 1000 : Date.parse(header);
  return Number.isNaN(at) ? null : new Date(Math.min(at, now.getTime() + LONGEST_WAIT_MS));
}

/** The limits of authorities are those of a week: one slip of theirs must not end renewals for longer. */
const LONGEST_WAIT_MS = 7 * 24 * 60 * 60_000;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

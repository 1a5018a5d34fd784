import { ApiError } from '@lilac/contract/client';
import type { ErrorCode } from '@lilac/contract/errors';
import type { DeploymentStage } from '@lilac/contract/states';
import type { Deployment } from './resources.ts';

/** Whether the platform refused with one of these codes; the reference lists them all. */
export function hasCode(error: unknown, ...codes: ErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes as string[]).includes(error.code);
}

/** It does not exist, or belongs to another organisation. */
export function isNotFound(error: unknown): error is ApiError {
  return hasStatus(error, 404);
}

/** It contradicts how things are now: the name is taken, something is moving, it has ended already. */
export function isConflict(error: unknown): error is ApiError {
  return hasStatus(error, 409);
}

/** The message names the field. */
export function isInvalidInput(error: unknown): error is ApiError {
  return hasStatus(error, 400);
}

/** There is no credential, or it is not taken. */
export function isUnauthenticated(error: unknown): error is ApiError {
  return hasStatus(error, 401);
}

/** The credential is good, but not for this. */
export function isForbidden(error: unknown): error is ApiError {
  return hasStatus(error, 403);
}

/** Too many calls; `retryAfterSeconds` says when there may be more. */
export function isRateLimited(error: unknown): error is ApiError {
  return hasStatus(error, 429);
}

/** The platform, or something between, is away for a moment. A change may have been made nevertheless. */
export function isUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && [502, 503, 504].includes(error.status);
}

function hasStatus(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status;
}

/** Nobody is signed in (any more): the session is over and cannot be refreshed. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';

  constructor(message = 'Nobody is signed in. Sign in first.', options?: ErrorOptions) {
    super(message, options);
  }
}

/** What was waited for failed or was cancelled. */
export class DeploymentFailed extends Error {
  override readonly name = 'DeploymentFailed';
  readonly deployment: Deployment;
  /** Where it failed. */
  readonly stage: DeploymentStage;
  /** Why, for people. */
  readonly error: string | null;
  /** The end of the build log. */
  readonly lastLines: readonly string[];

  constructor(deployment: Deployment) {
    const { status, deployment_stage: stage, error } = deployment;
    const what = status === 'cancelled' ? 'was cancelled' : 'failed';
    super(`The deployment ${what} while ${stage}${error ? `: ${error}` : '.'}`);
    this.deployment = deployment;
    this.stage = stage;
    this.error = error;
    this.lastLines = deployment.deployment_logs.slice(-LAST_LINES);
  }
}

const LAST_LINES = 20;

/** It took longer than was allowed. Whatever was waited for goes on. */
export class WaitTimedOut extends Error {
  override readonly name = 'WaitTimedOut';
  readonly timeoutMs: number;

  constructor(what: string, timeoutMs: number) {
    super(`Waited ${Math.round(timeoutMs / 1000)} seconds in vain for ${what}.`);
    this.timeoutMs = timeoutMs;
  }
}

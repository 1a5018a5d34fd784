import type { S3Settings } from '../../config.ts';

interface SdkError extends Error {
  code?: string;
  $metadata?: { httpStatusCode?: number };
}

/** What the object store answered, in words that say what to do where that is known. */
export class S3Failure extends Error {
  /** As the store names it: `NoSuchBucket`. */
  override readonly name: string;
  /** Null: there was no answer. */
  readonly status: number | null;

  constructor(message: string, { name, status, cause }: { name: string; status: number | null; cause: unknown }) {
    super(message, { cause });
    this.name = name;
    this.status = status;
  }

  static of(error: unknown, settings: Pick<S3Settings, 'bucket' | 'endpoint' | 'region'>): unknown {
    const { name, code, message, $metadata } = error as SdkError;
    const status = $metadata?.httpStatusCode ?? null;
    const explain = explanations[name] ?? (code === undefined ? undefined : networkExplanations[code]);
    // To HEAD nothing is answered but the status.
    const known = (explain ?? (NAMELESS.has(name) && status === 403 ? isClosed : undefined))?.(settings);
    // What a source of ours failed of goes up as it is.
    if (status === null && known === undefined) return error;
    const said = message === 'UnknownError' || message === '' ? name : `${name}: ${message}`;
    return new S3Failure(known ?? `The object store answered ${status} (${said}).`, {
      name,
      status,
      cause: error,
    });
  }
}

/** Not where the bucket is missing, or somebody we are taken for. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3Failure && ['NoSuchKey', 'NotFound', 'NoSuchUpload'].includes(error.name);

/** Somebody else was first: there is an object already, or it was exchanged meanwhile. */
export const isPreempted = (error: unknown): boolean =>
  error instanceof S3Failure && (error.status === 412 || error.status === 409);

/** Some stores that speak S3 do not have all of it. */
export const isUnknownThere = (error: unknown): boolean =>
  error instanceof S3Failure && (error.status === 501 || error.name === 'NotImplemented');

type Explain = (settings: Pick<S3Settings, 'bucket' | 'endpoint' | 'region'>) => string;

const placeOf = ({ endpoint, region }: Parameters<Explain>[0]) => endpoint?.origin ?? `Amazon S3 (${region})`;

const isClosed: Explain = (settings) =>
  `${placeOf(settings)} does not let us into the bucket ${settings.bucket}. ` +
  'Check LILAC_S3_ACCESS_KEY_ID and LILAC_S3_SECRET_ACCESS_KEY, and what that key may do.';

/** What the driver calls an answer without a code. */
const NAMELESS = new Set(['Unknown', 'UnknownError', '403']);

const explanations: Partial<Record<string, Explain>> = {
  NoSuchBucket: (settings) =>
    `There is no bucket ${settings.bucket} at ${placeOf(settings)}. Create it, or correct LILAC_S3_BUCKET.`,
  PermanentRedirect: ({ bucket, region }) =>
    `The bucket ${bucket} is not in the region ${region}. Correct LILAC_S3_REGION.`,
  AuthorizationHeaderMalformed: ({ bucket, region }) =>
    `The bucket ${bucket} is not in the region ${region}. Correct LILAC_S3_REGION.`,
  InvalidAccessKeyId: (settings) =>
    `${placeOf(settings)} does not know the key of LILAC_S3_ACCESS_KEY_ID. Check the setting.`,
  SignatureDoesNotMatch: (settings) =>
    `${placeOf(settings)} refuses the secret of the key. Check LILAC_S3_SECRET_ACCESS_KEY.`,
  AccessDenied: isClosed,
  Forbidden: isClosed,
  RequestTimeTooSkewed: () => 'The clock of this machine is wrong: the object store takes no requests. Set the clock.',
  TimeoutError: (settings) =>
    `The object store at ${placeOf(settings)} does not answer in time. Check LILAC_S3_ENDPOINT and the network.`,
};

const notReached: Explain = (settings) =>
  `The object store at ${placeOf(settings)} cannot be reached. Check LILAC_S3_ENDPOINT and that it runs.`;

const networkExplanations: Partial<Record<string, Explain>> = {
  ECONNREFUSED: notReached,
  ECONNRESET: notReached,
  EHOSTUNREACH: notReached,
  ENETUNREACH: notReached,
  ENOTFOUND: notReached,
  EAI_AGAIN: notReached,
  EPIPE: notReached,
  ETIMEDOUT: notReached,
};

import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../config.ts';
import { assertKey } from '../object-key.ts';
import { followKey } from './follow-key.ts';
import { S3Failure } from './s3-failure.ts';

/** A bucket, and where in it an object lies. */
export interface S3Connection {
  client: S3Client;
  /** Signs addresses for those who reach the store elsewhere. */
  publicClient: S3Client;
  bucket: string;
  /** What the keys of all objects begin with. */
  objectsPrefix: string;
  /** The same for what came by a signed address and nobody has looked at. */
  incomingPrefix: string;
}

const CONNECT_MS = 5000;
/** Between two bytes; the whole may take as long as it needs. */
const SILENCE_MS = 60_000;
const SOCKETS = 64;
const ATTEMPTS = 5;

export function openS3(settings: S3Settings): S3Connection {
  const client = openClient(settings, settings.endpoint);
  return {
    client,
    publicClient: settings.publicEndpoint ? openClient(settings, settings.publicEndpoint) : client,
    bucket: settings.bucket,
    objectsPrefix: `${settings.prefix}objects/`,
    incomingPrefix: `${settings.prefix}incoming/`,
  };
}

/** Where an object lies that has its name. */
export function placeOf(s3: S3Connection, key: string): { Bucket: string; Key: string } {
  assertKey(key);
  return { Bucket: s3.bucket, Key: s3.objectsPrefix + key };
}

/** Where it lies before anybody has looked at it. */
export function incomingPlaceOf(s3: S3Connection, key: string): { Bucket: string; Key: string } {
  assertKey(key);
  return { Bucket: s3.bucket, Key: s3.incomingPrefix + key };
}

function openClient(settings: S3Settings, endpoint: URL | null): S3Client {
  const agent = { keepAlive: true, maxSockets: SOCKETS };
  const options: S3ClientConfig = {
    region: settings.region,
    forcePathStyle: settings.isPathStyle,
    credentials: 'file' in settings.credentials ? followKey(settings.credentials.file) : settings.credentials,
    maxAttempts: ATTEMPTS,
    // Many stores that speak S3 know none of the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(endpoint && { endpoint: endpoint.href.replace(/\/$/, '') }),
  };
  const client = new S3Client(options);
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (error) {
        throw S3Failure.of(error, settings);
      }
    },
    { step: 'initialize', priority: 'high', name: 'explainFailure' },
  );
  return client;
}

import { resolve } from 'node:path';
import { ConfigError, readHostUrl } from './read-values.ts';
import type { SettingName } from './settings.ts';

/** Where objects are kept when not on this machine. */
export interface S3Settings {
  bucket: string;
  /** Null: Amazon's own. */
  endpoint: URL | null;
  /** Where clients reach it; null: at the same place. */
  publicEndpoint: URL | null;
  region: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  isPathStyle: boolean;
  credentials: S3Key | { file: string };
}

export interface S3Key {
  accessKeyId: string;
  secretAccessKey: string;
}

type Read = (name: SettingName) => string | undefined;

export function readS3Settings(read: Read): S3Settings | null {
  const bucket = read('LILAC_S3_BUCKET');
  if (bucket === undefined) return null;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError(`LILAC_S3_BUCKET must be the name of a bucket, like lilac-objects, not "${bucket}".`);
  }
  const urlOf = (name: SettingName) => {
    const value = read(name);
    return value === undefined ? null : readHostUrl(name, value);
  };
  const endpoint = urlOf('LILAC_S3_ENDPOINT');
  return {
    bucket,
    endpoint,
    publicEndpoint: urlOf('LILAC_S3_PUBLIC_ENDPOINT'),
    region: read('LILAC_S3_REGION') ?? 'us-east-1',
    prefix: readPrefix(read('LILAC_S3_PREFIX') ?? ''),
    isPathStyle: readSwitch('LILAC_S3_PATH_STYLE', read('LILAC_S3_PATH_STYLE') ?? (endpoint ? 'on' : 'off')),
    credentials: readCredentials(read),
  };
}

function readPrefix(value: string): string {
  const parts = value.replace(/\/$/, '').split('/');
  if (value === '') return '';
  if (!parts.every((part) => /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/.test(part))) {
    throw new ConfigError(`LILAC_S3_PREFIX must be like lilac/ or teams/lilac/, not "${value}".`);
  }
  return `${parts.join('/')}/`;
}

function readSwitch(name: SettingName, value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new ConfigError(`${name} must be on or off, not "${value}".`);
  return value === 'on';
}

function readCredentials(read: Read): S3Settings['credentials'] {
  const [accessKeyId, secretAccessKey, file] = [
    read('LILAC_S3_ACCESS_KEY_ID'),
    read('LILAC_S3_SECRET_ACCESS_KEY'),
    read('LILAC_S3_CREDENTIALS_FILE'),
  ];
  if (file !== undefined && !accessKeyId && !secretAccessKey) return { file: resolve(file) };
  if (accessKeyId && secretAccessKey && file === undefined) return { accessKeyId, secretAccessKey };
  throw new ConfigError(
    'LILAC_S3_BUCKET needs a key: set LILAC_S3_ACCESS_KEY_ID and LILAC_S3_SECRET_ACCESS_KEY, or ' +
      'LILAC_S3_CREDENTIALS_FILE in place of both.',
  );
}

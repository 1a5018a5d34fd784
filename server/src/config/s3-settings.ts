import { resolve } from 'node:path';
import { ConfigError, readHostUrl } from './read-values.ts';
import type { Setting } from './setting.ts';
import type { ReadSetting, SettingName } from './settings.ts';

export const s3Settings = [
  {
    name: 'LILAC_S3_BUCKET',
    default: '',
    summary:
      'Keeps uploads, artifacts and dumps in this bucket of an S3 object store, in place of files below LILAC_HOME. ' +
      'Every host of a platform needs the same.',
  },
  {
    name: 'LILAC_S3_ENDPOINT',
    default: "Amazon's, of the region",
    summary: 'Where the S3 object store is: `https://s3.example.org`.',
  },
  {
    name: 'LILAC_S3_PUBLIC_ENDPOINT',
    default: '`LILAC_S3_ENDPOINT`',
    summary:
      'Where people and browsers reach the same store, if not there: addresses for uploads and downloads begin so.',
  },
  {
    name: 'LILAC_S3_REGION',
    default: 'us-east-1',
    summary: 'The region of the bucket.',
  },
  {
    name: 'LILAC_S3_PREFIX',
    default: '',
    summary: 'What the keys of all objects begin with, where the bucket holds other things too: `lilac/`.',
  },
  {
    name: 'LILAC_S3_PATH_STYLE',
    default: 'on where LILAC_S3_ENDPOINT is set',
    summary: 'Whether the bucket is named in the path (`on`), or in the name of the host (`off`).',
  },
  {
    name: 'LILAC_S3_ACCESS_KEY_ID',
    default: '',
    summary: 'The name of the key that opens the bucket.',
  },
  {
    name: 'LILAC_S3_SECRET_ACCESS_KEY',
    default: '',
    summary: 'The secret of that key.',
  },
  {
    name: 'LILAC_S3_CREDENTIALS_FILE',
    default: '',
    summary:
      "A file that holds both in place of the two settings before, in the format of Amazon's tools: lines " +
      '`aws_access_key_id = …` and `aws_secret_access_key = …`. A changed file is followed within minutes.',
  },
] as const satisfies readonly Setting[];

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

export function readS3Settings(read: ReadSetting): S3Settings | null {
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

function readCredentials(read: ReadSetting): S3Settings['credentials'] {
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

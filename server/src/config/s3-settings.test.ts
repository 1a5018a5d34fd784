import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';

const key = { LILAC_S3_ACCESS_KEY_ID: 'id', LILAC_S3_SECRET_ACCESS_KEY: 'secret' };
const read = (environment: Record<string, string>) => readConfig(environment).s3;

describe('LILAC_S3_BUCKET', () => {
  it('left out: files stay on this machine', () => {
    expect(read(key)).toBeNull();
  });

  it('alone with a key is a bucket of Amazon; with an endpoint, it is named in the path', () => {
    expect(read({ ...key, LILAC_S3_BUCKET: 'files' })).toMatchObject({
      endpoint: null,
      isPathStyle: false,
      prefix: '',
    });
    const own = {
      ...key,
      LILAC_S3_BUCKET: 'files',
      LILAC_S3_ENDPOINT: 'https://s3.example.org/',
      LILAC_S3_PREFIX: 'a/b',
    };
    expect(read(own)).toMatchObject({ isPathStyle: true, prefix: 'a/b/' });
    expect(read({ ...own, LILAC_S3_PATH_STYLE: 'off' })).toMatchObject({ isPathStyle: false });
  });

  it('needs one key, as two settings or as a file', () => {
    expect(read({ LILAC_S3_BUCKET: 'files', LILAC_S3_CREDENTIALS_FILE: '/etc/key' })).toMatchObject({
      credentials: { file: '/etc/key' },
    });
    for (const wrong of [
      {},
      { LILAC_S3_ACCESS_KEY_ID: 'id' },
      { ...key, LILAC_S3_CREDENTIALS_FILE: '/etc/key' },
    ] as Record<string, string>[]) {
      expect(() => read({ LILAC_S3_BUCKET: 'files', ...wrong })).toThrow(/LILAC_S3_BUCKET needs a key/);
    }
  });

  it('refuses what cannot be meant, and never repeats a secret', () => {
    const wrongs = [
      { LILAC_S3_BUCKET: 'No Bucket' },
      { LILAC_S3_BUCKET: 'files', LILAC_S3_PREFIX: '../up' },
      { LILAC_S3_BUCKET: 'files', LILAC_S3_PATH_STYLE: 'yes' },
      { LILAC_S3_BUCKET: 'files', LILAC_S3_ENDPOINT: 's3.example.org' },
    ] as Record<string, string>[];
    for (const wrong of wrongs) {
      expect(() => read({ ...key, ...wrong })).toThrow(/^LILAC_S3_(?!.*secret)/);
    }
  });
});

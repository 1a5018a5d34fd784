import { describe, expect, it } from 'vitest';
import { parseKey } from './follow-key.ts';

const key = { accessKeyId: 'AKIA1', secretAccessKey: 'a/b+c=' };

describe('parseKey', () => {
  it('reads the default key of a file as other tools write it', () => {
    expect(parseKey('aws_access_key_id=AKIA1\naws_secret_access_key=a/b+c=')).toEqual(key);
    const sections =
      '[other]\naws_access_key_id = X\n\n[default]\r\naws_access_key_id = AKIA1\r\naws_secret_access_key = a/b+c=\r\n[more]\naws_access_key_id = Y\n';
    expect(parseKey(sections)).toEqual(key);
  });

  it('finds none where one half is missing or stands elsewhere', () => {
    expect(parseKey('')).toBeNull();
    expect(parseKey('[default]\naws_access_key_id = AKIA1')).toBeNull();
    expect(parseKey('[other]\naws_access_key_id = AKIA1\naws_secret_access_key = x')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

const KEY = '-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQE\n-----END KEY-----\n';

describe('redaction', () => {
  it('strikes a secret out of the middle of a line, as often as it stands there', () => {
    const redact = createRedactor({ API_TOKEN: 's3cr3t-$&-value' });
    expect(redact('a s3cr3t-$&-value b "s3cr3t-$&-value"')).toBe('a [redacted] b "[redacted]"');
  });

  it.each([
    ['base64', 'czNjcjN0LXZhbHVlIQ=='],
    ['base64 without padding', 'czNjcjN0LXZhbHVlIQ'],
    ['percent-encoding', 's3cr3t-value%3F'],
    ['JSON', String.raw`line\nfeed\"99`],
  ])('strikes out its %s', (_form, printed) => {
    const redact = createRedactor({ A: 's3cr3t-value!', B: 's3cr3t-value?', C: 'line\nfeed"99' });
    expect(redact(`<${printed}>`)).toBe('<[redacted]>');
  });

  it('strikes out each line of a value of many', () => {
    const redact = createRedactor({ PRIVATE_KEY: KEY });
    expect(KEY.split('\n').map(redact)).toEqual(['[redacted]', '[redacted]', '[redacted]', '[redacted]', '']);
  });

  it('strikes out the longer of two that begin alike whole', () => {
    const redact = createRedactor({ A_KEY: 'abc-123', B_KEY: 'abc-123-xyz' });
    expect(redact('abc-123-xyz abc-123')).toBe('[redacted] [redacted]');
  });

  it('strikes out an address with a password, and the password alone', () => {
    const redact = createRedactor({ STORE: 'postgresql://app:p%40ss-w0rd@db:5432/app' });
    expect(redact('postgresql://app:p%40ss-w0rd@db:5432/app p%40ss-w0rd p@ss-w0rd')).toBe(
      '[redacted] [redacted] [redacted]',
    );
  });

  it.each([
    'production',
    'true',
    '8080',
    'eu-central-1',
    'https://api.example.org/v1',
    './src/app',
    '1.2.3',
    'My Shop',
    '',
  ])('leaves %j alone, which says nothing', (value) => {
    expect(createRedactor({ SETTING: value })(`x ${value} y`)).toBe(`x ${value} y`);
  });

  it('does not leave a plain word alone whose name speaks of a secret', () => {
    expect(createRedactor({ DB_PASSWORD: 'production' })('production')).toBe('[redacted]');
  });
});

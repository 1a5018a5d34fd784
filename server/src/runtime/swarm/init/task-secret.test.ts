import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TaskSecret } from './agreement.ts';
import { MAX_SECRET_BYTES, packSecret, unpackSecret } from './task-secret.ts';

/** As many as the variables of one environment may have. */
const MOST = 512 * 1024;
const secretOf = (text: string): TaskSecret => {
  const parts = text.match(/[^]{1,60000}/gu) ?? [];
  const env = Object.fromEntries(parts.map((part, index) => [`TEXT_${index}`, part]));
  return { token: 't', uid: 1, command: 'node server.js', workDirectory: '', env };
};
const printable = () => Array.from(randomBytes(MOST), (byte) => String.fromCodePoint(32 + (byte % 95))).join('');

describe('the secret of a task', () => {
  it.each([
    ['keys and certificates', () => randomBytes((MOST / 4) * 3).toString('base64')],
    ['any signs of a keyboard, quotes among them', printable],
    [
      'letters of two bytes',
      () => Array.from(randomBytes(MOST / 2), (byte) => String.fromCodePoint(0x400 + byte)).join(''),
    ],
  ])('has room for as many variables as there may be: %s', async (_of, make) => {
    const secret = secretOf(make());
    const packed = await packSecret(secret);
    expect(JSON.stringify(secret).length).toBeGreaterThan(MOST / 2);
    expect(packed.length).toBeLessThanOrEqual(MAX_SECRET_BYTES - 16_384);
    expect(unpackSecret(packed)).toEqual(secret);
  });
});

import { randomBytes } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { decryptConsolePassword, encryptConsolePassword } from './console-password.ts';

const key = randomBytes(32);

describe('the password between the console back end and sign-in', () => {
  it('opens within a minute, and not after', async () => {
    const clock = createFakeClock();
    const jwe = await encryptConsolePassword(key, 'correct horse', clock);
    expect(await decryptConsolePassword(key, jwe, clock)).toBe('correct horse');
    clock.advance(58_000);
    expect(await decryptConsolePassword(key, jwe, clock)).toBe('correct horse');
    clock.advance(3_000);
    expect(await decryptConsolePassword(key, jwe, clock)).toBeNull();
  });

  it('does not open when it comes from the future, from another key, or is plain', async () => {
    const clock = createFakeClock();
    const future = createFakeClock(new Date(clock.now().getTime() + 60_000));
    expect(await decryptConsolePassword(key, await encryptConsolePassword(key, 'x', future), clock)).toBeNull();
    expect(
      await decryptConsolePassword(randomBytes(32), await encryptConsolePassword(key, 'x', clock), clock),
    ).toBeNull();
    expect(await decryptConsolePassword(key, 'correct horse', clock)).toBeNull();
  });

  it('does not open under another algorithm, even with the right key', async () => {
    const clock = createFakeClock();
    const payload = { password: 'x', iat: Math.floor(clock.now().getTime() / 1000), jti: '1' };
    const jwe = await new CompactEncrypt(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM' })
      .encrypt(key);
    expect(await decryptConsolePassword(key, jwe, clock)).toBeNull();
  });
});

import { randomBytes } from 'node:crypto';
import * as argon2 from '@node-rs/argon2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword, needsRehash, verifyPassword } from './password.ts';

vi.mock('@node-rs/argon2', { spy: true });

describe('passwords', () => {
  beforeEach(() => vi.clearAllMocks());

  it('are hashed with Argon2id, 19 MiB, two passes, one lane, and a salt of their own', async () => {
    const [one, other] = await Promise.all([
      hashPassword('correct horse battery'),
      hashPassword('correct horse battery'),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(other).not.toBe(one);
    expect(await verifyPassword(one, 'correct horse battery')).toBe(true);
    expect(await verifyPassword(one, 'correct horse batterx')).toBe(false);
  });

  it('match however the system composes the letters', async () => {
    const hash = await hashPassword('caf\u00e9 au lait, bien s\u00fbr');
    expect(await verifyPassword(hash, 'cafe\u0301 au lait, bien su\u0302r')).toBe(true);
  });

  it('cost the same work for an account that does not exist', async () => {
    expect(await verifyPassword(null, 'correct horse battery')).toBe(false);
    expect(argon2.verify).toHaveBeenCalledOnce();
    const [hash] = vi.mocked(argon2.verify).mock.calls[0]!;
    const { memoryCost, timeCost, parallelism, outputLen, saltLen } = argon2.parseOptions(hash);
    expect({ memoryCost, timeCost, parallelism, outputLen, saltLen }).toEqual({
      memoryCost: 19_456,
      timeCost: 2,
      parallelism: 1,
      outputLen: 32,
      saltLen: 16,
    });
  });

  it('need a new hash when the parameters have changed', async () => {
    expect(needsRehash(await hashPassword('correct horse battery'))).toBe(false);
    expect(needsRehash(await argon2.hash('correct horse battery', { memoryCost: 8192, timeCost: 2 }))).toBe(true);
  });

  it('are hashed two at a time, and refused with 503 when too many wait', async () => {
    let running = 0;
    let most = 0;
    vi.mocked(argon2.hash).mockImplementation(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return randomBytes(4).toString('hex');
    });
    const results = await Promise.allSettled(Array.from({ length: 300 }, () => hashPassword('x')));
    vi.mocked(argon2.hash).mockRestore();
    expect(most).toBe(2);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(202);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'SV002' });
  });
});

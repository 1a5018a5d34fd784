import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';

it('recovery codes are kept as SHA-256 of their letters', () => {
  const [code] = newRecoveryCodes();
  const letters = code!.replaceAll('-', '');
  expect(hashRecoveryCode(code!)).toEqual(createHash('sha256').update(letters).digest());
  expect(hashRecoveryCode(` ${letters.toLowerCase()} `)).toEqual(hashRecoveryCode(code!));
});

it.each(['', '123456', 'ABCD-EFGH-IJKL-MNO', 'ABCD-EFGH-IJKL-MN01'])('"%s" is no recovery code', (text) => {
  expect(hashRecoveryCode(text)).toBeNull();
});

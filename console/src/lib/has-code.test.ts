import { ApiError } from '@lilac/contract/client';
import { describe, expect, it } from 'vitest';
import { hasCode } from './has-code.ts';

describe('hasCode', () => {
  const fields = { status: 404, code: 'NF001', message: 'Not there.', errorId: null, retryAfterSeconds: null };

  it('knows a refusal by its code', () => {
    expect(hasCode(new ApiError(fields), 'CA002', 'NF001')).toBe(true);
    expect(hasCode(new ApiError(fields), 'CA002')).toBe(false);
  });

  it('takes no lost connection for a refusal', () => expect(hasCode(new TypeError('failed'), 'NF001')).toBe(false));
});

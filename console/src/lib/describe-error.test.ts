import { ApiError } from '@lilac/contract/client';
import { errorCatalogue } from '@lilac/contract/errors';
import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.ts';

describe('describeError', () => {
  it.each(Object.entries(errorCatalogue))(
    'shows the message of %s, and the code to quote',
    (code, { status, message }) => {
      const error = new ApiError({ status, code, message, errorId: null, retryAfterSeconds: null });
      expect(describeError(error)).toEqual({ message, reference: code });
    },
  );

  it('gives the id that finds an internal failure in the log', () => {
    const fields = { status: 500, code: 'SV001', message: 'Broken.', errorId: 'err_1', retryAfterSeconds: null };
    expect(describeError(new ApiError(fields)).reference).toBe('err_1');
  });

  it('tells how long to wait where the platform asks for it', () => {
    const fields = { status: 429, code: 'CA009', message: 'Too many. Try again later.', errorId: null };
    const wait = (retryAfterSeconds: number) => describeError(new ApiError({ ...fields, retryAfterSeconds })).message;
    expect(wait(1)).toBe('Too many. Try again in 1 second.');
    expect(wait(45)).toBe('Too many. Try again in 45 seconds.');
    expect(wait(601)).toBe('Too many. Try again in 11 minutes.');
  });

  it('says that nobody answered when nobody did', () => {
    expect(describeError(new TypeError('fetch failed')).message).toContain('does not answer');
  });
});

import { ApiError } from '@lilac/contract/client';
import { type ErrorCode, errorCatalogue } from '@lilac/contract/errors';
import { describe, expect, it } from 'vitest';
import { canBeAskedAgain, describeError } from './describe-error.ts';
import { LostAnswer } from './lost-answer.ts';
import { Refusal } from './refusal.ts';

const shown = (code: string, { status, message } = errorCatalogue[code as ErrorCode]) =>
  describeError(new ApiError({ status, code, message, errorId: null, retryAfterSeconds: null }));

const said = (code: string, message: string) => shown(code, { status: 400, message } as never).message;

const isOffered = (code: ErrorCode) => {
  const { status, message } = errorCatalogue[code];
  return canBeAskedAgain(new ApiError({ status, code, message, errorId: null, retryAfterSeconds: null }));
};

describe('describeError', () => {
  it.each(Object.keys(errorCatalogue))(
    'has a message for people for %s, and a code to quote only where nobody can mend it but the platform',
    (code) => {
      const { message, reference } = shown(code);
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(message).not.toMatch(
        /header|endpoint|targetOrganisationId|JSON|application\/|method|100-continue|signed address|feature/i,
      );
      expect(reference).toBe(errorCatalogue[code as ErrorCode].status >= 500 ? code : null);
    },
  );

  it('shows what the platform says as it says it', () => {
    expect(shown('CF001', { status: 409, message: 'The last owner cannot leave.' } as never).message).toBe(
      'The last owner cannot leave.',
    );
  });

  it('writes out marks that would turn its words round', () => {
    expect(said('DB001', 'no column "a\u202Eb".')).toContain('a[U+202E]b');
  });

  it('says to reload a page that is older than the platform', () => {
    expect(shown('NF002').message).toContain('Reload the page');
  });

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

  it('says what the page itself refused, and names pages instead of commands', () => {
    expect(describeError(new Refusal('Too many.'))).toEqual({ message: 'Too many.', reference: null });
    const message = 'Install the app with "lilac vcs install".';
    expect(shown('CF001', { status: 409, message } as never).message).toBe('Install the app under Repositories.');
  });

  it('speaks of what the page shows, and of what the database says, in sentences', () => {
    expect(said('VA001', 'domain must not be empty')).toBe('The domain must not be empty.');
    expect(said('DB001', 'relation "x" does not exist.')).toBe('The database says: relation "x" does not exist.');
  });

  it('offers to ask again only what can be answered otherwise', () => {
    expect((['SV001', 'SV002', 'CA001', 'CA009', 'CF001'] as const).filter((code) => !isOffered(code))).toEqual([]);
    expect((['NF001', 'CA005', 'CA008', 'FF001', 'VA001'] as const).filter(isOffered)).toEqual([]);
    expect(canBeAskedAgain(new TypeError('fetch failed'))).toBe(true);
  });

  it('says that nobody answered when nobody did', () => {
    expect(describeError(new TypeError('fetch failed')).message).toContain('does not answer');
  });

  it('says of a change whose answer was lost that it may have been done, and does not offer it again', () => {
    const lost = new LostAnswer();
    expect(describeError(lost).message).toBe('The answer was lost: it may have been done. Look before you try again.');
    expect(canBeAskedAgain(lost)).toBe(false);
  });
});

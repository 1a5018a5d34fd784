import { describe, expect, it } from 'vitest';
import { failingLine } from './failing-line.ts';

const error = 'The build command ended with 2.';

describe('the line that tells why a build failed', () => {
  it('is the first of its stage that speaks of trouble', () => {
    const lines = [
      '==> Installing dependencies',
      'npm warn error-ex is old, error',
      '==> Building',
      '> tsc',
      "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
      'src/b.ts(9,1): error TS1005',
      `==> ${error}`,
    ];
    expect(failingLine(lines, error)).toBe(5);
  });

  it('is none of the commands, whatever they are called', () => {
    const lines = ['==> Building', '$ npm run find-errors || exit error', 'error: no such name', `==> ${error}`];
    expect(failingLine(lines, error)).toBe(3);
  });

  it("is the platform's word where no other line is", () => {
    expect(failingLine(['==> Building', 'all is fine', `==> ${error}`], error)).toBe(3);
  });

  it('is none where the log does not say it: it failed later', () => {
    expect(failingLine(['==> Building', 'error: none', '==> Releasing'], 'It did not answer.')).toBeNull();
    expect(failingLine(['==> '], null)).toBeNull();
    expect(failingLine([], error)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { failingLine } from './failing-line.ts';

const held = (texts: readonly string[]) => texts.map((text) => ({ text, plain: text }));

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
    expect(failingLine(held(lines), error)).toBe(5);
  });

  it('is none of the commands, whatever they are called', () => {
    const lines = ['==> Building', '$ npm run find-errors || exit error', 'error: no such name', `==> ${error}`];
    expect(failingLine(held(lines), error)).toBe(3);
  });

  it("is the platform's word where no other line is", () => {
    expect(failingLine(held(['==> Building', 'all is fine', `==> ${error}`]), error)).toBe(3);
  });

  describe('in a log that has lost its middle', () => {
    const cut = [
      '==> The log is too long: what follows is left out, but for its end.',
      '==> The log is too long: 5,000 lines are left out here.',
    ];
    const withEnd = (end: string) => [
      '==> Installing dependencies',
      'error: of before',
      '==> Building',
      'test 1 failed, and is tried again',
      ...cut,
      end,
      `==> ${error}`,
    ];

    it('is in the end of its stage, which is what ended the build', () => {
      expect(failingLine(held(withEnd('error: out of memory')), error)).toBe(7);
    });

    it('is in its beginning where the end says nothing, and in no other stage', () => {
      expect(failingLine(held(withEnd('bye')), error)).toBe(4);
      expect(failingLine(held(withEnd('bye').toSpliced(3, 1)), error)).toBe(7);
    });
  });

  it('is none where the log does not say it: it failed later', () => {
    expect(failingLine(held(['==> Building', 'error: none', '==> Releasing']), 'It did not answer.')).toBeNull();
    expect(failingLine(held(['==> ']), null)).toBeNull();
    expect(failingLine([], error)).toBeNull();
  });
});

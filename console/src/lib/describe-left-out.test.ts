import { describe, expect, it } from 'vitest';
import { describeIgnored, describeNothing, describeSecrets } from './describe-left-out.ts';

const none = { secrets: [], ignored: [] };

describe('what is left out', () => {
  it('is not told of where there is nothing', () => {
    expect([describeSecrets(none), describeIgnored(none)]).toEqual([null, null]);
  });

  it('is named, and what holds variables with where they belong', () => {
    expect(describeSecrets({ ...none, secrets: ['.ssh/', 'id_rsa'] })).toBe(
      'Not sent, for they hold secrets: .ssh/, id_rsa.',
    );
    expect(describeSecrets({ ...none, secrets: ['web/.env'] })).toBe(
      'Not sent, for they hold secrets: web/.env. Paste what is in web/.env into its environment variables.',
    );
  });

  it('is counted where it is much', () => {
    const ignored = ['a', 'b', 'c', 'd', 'e', 'f'];
    expect(describeIgnored({ ...none, ignored: ignored.slice(1) })).toContain(': b, c, d, e, f.');
    expect(describeIgnored({ ...none, ignored })).toBe(
      'Left out by .gitignore or .lilacignore: a, b, c, d and 2 more.',
    );
  });

  it('says why there is nothing to deploy', () => {
    expect(describeNothing(none)).toContain('no files');
    expect(describeNothing({ secrets: ['.env'], ignored: ['a'] })).toContain('but .env: files with secrets');
    expect(describeNothing({ ...none, ignored: ['a'] })).toContain('.lilacignore leaves all of it out');
  });
});

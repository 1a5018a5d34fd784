import { expect, it } from 'vitest';
import { inConsoleWords } from './in-console-words.ts';

it.each([
  ['Install the app there with "lilac vcs install".', 'Install the app there under Repositories.'],
  ['Let the platform in with "lilac provider2 connect".', 'Let the platform in under Repositories.'],
  ['Nothing of the kind.', 'Nothing of the kind.'],
])('%j is %j on a page', (text, shown) => {
  expect(inConsoleWords(text)).toBe(shown);
});

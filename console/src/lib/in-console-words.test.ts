import { expect, it } from 'vitest';
import { inConsoleWords } from './in-console-words.ts';

it.each([
  ['Install the app there with "lilac vcs install".', 'Install the app there under Repositories.'],
  ['Let the platform in with "lilac provider2 connect".', 'Let the platform in under Repositories.'],
  ['It does not work. Renew it. ("lilac provider3 connect")', 'It does not work. Renew it under Repositories.'],
  [
    'If it is meant, say so with "lilac apps update" and --vcs-repo-url.',
    'If it is meant, say so in its settings, under “Repository”.',
  ],
  ['"lilac vcs sync" looks again.', '“Read again from the host” under Repositories looks again.'],
  ['Find out with "lilac admin errors dep_1".', 'Find out with "npx lilac admin errors dep_1".'],
  ['Not set up yet (lilac admin vcs setup).', 'Not set up yet (npx lilac admin vcs setup).'],
  [
    'An owner can change the plan (POST /api/organisations/plan), and so can the operator (lilac admin plan set).',
    'An owner can change the plan under Organisation, and so can the operator (npx lilac admin plan set).',
  ],
  ['The branch a\u202Eb is gone.', 'The branch a[U+202E]b is gone.'],
  [
    '"__proto__" cannot be used as a name, not even of a variable.',
    'Nothing can be called __proto__ here. Choose another name. A column that is called so is changed by a statement.',
  ],
  ['Nothing of the kind.', 'Nothing of the kind.'],
])('%j is %j on a page', (text, shown) => {
  expect(inConsoleWords(text)).toBe(shown);
});

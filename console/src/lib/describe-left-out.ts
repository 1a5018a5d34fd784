import { holdsVariables } from '@lilac/contract/source-files/secret-files';
import type { LeftOut } from './source-of.ts';
import { showMarks } from './visible-name.ts';

const NAMED = 4;

/** What is said where nothing is left to be sent. */
export function describeNothing({ secrets, ignored }: LeftOut): string {
  if (secrets.length > 0) {
    return `There is nothing to deploy in that but ${nameSome(secrets)}: files with secrets are never sent.`;
  }
  if (ignored.length > 0) return 'There is nothing to deploy in that: .gitignore or .lilacignore leaves all of it out.';
  return 'There is nothing to deploy in that: no files, or only such as are left out (node_modules, .git).';
}

/** Null where there are none. */
export function describeSecrets({ secrets }: LeftOut): string | null {
  if (secrets.length === 0) return null;
  const variables = secrets.find(holdsVariables);
  const way =
    variables === undefined ? '' : ` Paste what is in ${showMarks(variables)} into its environment variables.`;
  return `Not sent, for they hold secrets: ${nameSome(secrets)}.${way}`;
}

/** Null where there are none. */
export function describeIgnored({ ignored }: LeftOut): string | null {
  return ignored.length === 0 ? null : `Left out by .gitignore or .lilacignore: ${nameSome(ignored)}.`;
}

function nameSome(paths: readonly string[]): string {
  // One more takes no more room than to say that there is one.
  const named = paths.length <= NAMED + 1 ? paths : paths.slice(0, NAMED);
  const more = paths.length - named.length;
  return named.map(showMarks).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

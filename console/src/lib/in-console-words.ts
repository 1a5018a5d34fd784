import { showMarks } from './visible-name.ts';

/**
 * Where the platform names a command, the console has a page. What only a terminal can do is called as it is called
 * there, in the folder that Lilac was installed to.
 */
export function inConsoleWords(text: string): string {
  return showMarks(text)
    .replaceAll(/ with "lilac (?:vcs install|provider[23] connect)"/g, ' under Repositories')
    .replaceAll(/\. \("lilac provider[23] connect"\)/g, ' under Repositories.')
    .replace(
      '"__proto__" cannot be used as a name, not even of a variable.',
      'Nothing can be called __proto__ here. Choose another name. A column that is called so is changed by a statement.',
    )
    .replaceAll('with "lilac apps update" and --vcs-repo-url', 'in its settings, under “Repository”')
    .replaceAll(' (POST /api/organisations/plan)', ' under Organisation')
    .replaceAll('"lilac vcs sync" looks again', '“Read again from the host” under Repositories looks again')
    .replaceAll(/(["(])lilac (?=[a-z])/g, '$1npx lilac ');
}

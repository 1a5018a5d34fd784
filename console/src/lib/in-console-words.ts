/** Where the platform names a command, the console has a page. */
export function inConsoleWords(text: string): string {
  return text.replaceAll(/ with "lilac (?:vcs install|provider[23] connect)"/g, ' under Repositories');
}

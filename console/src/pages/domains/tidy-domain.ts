/** What somebody copied from a browser's address line, as the name that is in it. */
export function tidyDomain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//, '')
    .replace(/[/\\?#].*$/s, '')
    .replace(/^.*@/, '')
    .replace(/:\d*$/, '')
    .replace(/\.$/, '');
}

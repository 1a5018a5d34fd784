/**
 * The console's pages. The server answers these with the console's document, the console has a page for
 * each, and links that are handed to people (set-up, invitation, device approval, linking a repository host) point at them.
 */
export const consolePaths = [
  '/',
  '/sign-in',
  '/setup',
  '/invite',
  '/device',
  '/connect',
  '/repository-hosts',
  '/domains',
  '/keys',
  '/members',
  '/organisation',
  '/organisations/new',
  '/account',
] as const;

export type ConsolePath = (typeof consolePaths)[number];

/**
 * The console's pages. The server answers these with the console's document, the console has a page for
 * each, and links that are handed to people (set-up, invitation, device approval, linking a repository host) point at
 * them. A part that begins with a colon stands for an id.
 */
export const consolePaths = [
  '/',
  '/sign-in',
  '/setup',
  '/invite',
  '/device',
  '/connect',
  '/repository-hosts',
  '/new',
  '/apps/:applicationId',
  '/apps/:applicationId/settings',
  '/environments/:environmentId',
  '/environments/:environmentId/logs',
  '/environments/:environmentId/metrics',
  '/environments/:environmentId/variables',
  '/environments/:environmentId/domain',
  '/environments/:environmentId/activity',
  '/environments/:environmentId/settings',
  '/deployments/:deploymentId',
  '/databases',
  '/databases/new',
  '/databases/:databaseId',
  '/databases/:databaseId/data',
  '/databases/:databaseId/query',
  '/databases/:databaseId/backups',
  '/databases/:databaseId/settings',
  '/domains',
  '/repositories',
  '/activity',
  '/keys',
  '/members',
  '/organisation',
  '/organisations/new',
  '/account',
] as const;

export type ConsolePath = (typeof consolePaths)[number];

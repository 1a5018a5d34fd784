/** What people type most has a word of its own, beside its place in a group. */
export const shortWords: Readonly<Record<string, string>> = {
  apps: 'apps list',
  db: 'db list',
  deployments: 'deployments list',
  domains: 'domains check',
  envs: 'envs list',
  folders: 'folders list',
  keys: 'keys list',
  orgs: 'orgs list',
  status: 'envs status',
};

/** Either form of a group's name is understood, and repository hosts by their own. */
export const groupNames: Readonly<Record<string, string>> = {
  app: 'apps',
  bitbucket: 'provider3',
  database: 'db',
  databases: 'db',
  deployment: 'deployments',
  domain: 'domains',
  env: 'envs',
  environment: 'envs',
  environments: 'envs',
  folder: 'folders',
  github: 'vcs',
  gitlab: 'provider2',
  key: 'keys',
  log: 'logs',
  org: 'orgs',
  organisation: 'orgs',
  organisations: 'orgs',
  projects: 'folders',
};

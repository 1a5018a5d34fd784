import type { EndpointName } from './endpoints.ts';

type Prefix<Name> = Name extends `${infer First}.${string}` ? First : never;
export type Tag = Prefix<EndpointName>;

/** What each group of endpoints is about, in the order of the reference. A prefix without one does not compile. */
export const tagDescriptions: Record<Tag, string> = {
  health: 'Whether the platform answers.',
  config: 'What the platform offers: regions, sizes, plans, feature flags.',
  auth: 'Signing in and out, refreshing tokens, connected devices, the device flow.',
  profile: 'The signed-in person: name, password, second factor.',
  'api-keys': 'Credentials of an organisation for unattended use. A key can never manage keys.',
  organisations: 'Organisations, their members, invitations and plan.',
  projects: 'Folders that applications and databases are filed under.',
  applications: 'Deployed projects.',
  environments: 'Branches of an application, each with its own address, variables and scaling range.',
  logs: 'What the instances of an environment wrote, and what the platform did with them.',
  metrics: 'How much an environment is used, and what it uses.',
  deployments: 'Commits or archives, built and released to an environment. Rollback serves an earlier one again.',
  databases: 'PostgreSQL and MySQL servers: their settings, contents, backups, and who is connected to them.',
  'vcs-app': 'The first repository host: the app, where it is installed, and what it reaches.',
  provider2: 'The second repository host: connections of people, linked to organisations.',
  provider3: 'The third repository host, likewise.',
  'vcs-setup': 'How the platform is known to repository hosts. For its operator.',
  upload: 'Archives to deploy without a repository: ask for an address, PUT the zip to it, complete.',
};

export function tagOf(name: EndpointName): Tag {
  return name.split('.', 1)[0] as Tag;
}

import { apiKeys } from './api-keys.ts';
import { applications } from './applications.ts';
import { auth } from './auth.ts';
import { config } from './config.ts';
import { databases } from './databases.ts';
import { deployments } from './deployments.ts';
import { domains } from './domains.ts';
import type { EndpointDeclaration } from './endpoint.ts';
import { environments } from './environments.ts';
import { health } from './health.ts';
import { logs } from './logs.ts';
import { metrics } from './metrics.ts';
import { organisations } from './organisations.ts';
import { profile } from './profile.ts';
import { projects } from './projects.ts';
import { upload } from './upload.ts';
import { vcsApp } from './vcs-app.ts';
import { vcsConnections } from './vcs-connections.ts';
import { vcsSetup } from './vcs-setup.ts';

/** The whole API, by name. Everything else (routes, clients, documents, tests) is derived from this. */
export const endpoints = {
  ...health,
  ...config,
  ...auth,
  ...profile,
  ...apiKeys,
  ...organisations,
  ...projects,
  ...applications,
  ...environments,
  ...domains,
  ...logs,
  ...metrics,
  ...deployments,
  ...databases,
  ...upload,
  ...vcsApp,
  ...vcsConnections,
  ...vcsSetup,
} as const satisfies Record<string, EndpointDeclaration>;

export type Endpoints = typeof endpoints;
export type EndpointName = keyof Endpoints;

export const endpointNames = Object.keys(endpoints) as EndpointName[];

/** The declaration seen without its literal types, for code that loops over all of them. */
export function declarationOf(name: EndpointName): EndpointDeclaration {
  return endpoints[name];
}

import type { Tool } from '../define-tool.ts';
import { applicationTools } from './applications.ts';
import { databaseLinkTools } from './database-links.ts';
import { databaseTools } from './databases.ts';
import { deploymentTools } from './deployments.ts';
import { domainTools } from './domains.ts';
import { environmentTools } from './environments.ts';
import { fileTools } from './files.ts';
import { knowledgeTools } from './knowledge.ts';
import { observationTools } from './observation.ts';
import { organisationTools } from './organisations.ts';
import { queryTools } from './queries.ts';
import { repositoryTools } from './repositories.ts';
import { variableTools } from './variables.ts';

/** By what they are about, as the reference lists them. */
export const toolGroups = {
  Organisations: organisationTools,
  Applications: [...applicationTools, ...repositoryTools, ...fileTools],
  Environments: [...environmentTools, ...variableTools],
  Deployments: deploymentTools,
  'Logs and metrics': observationTools,
  Databases: [...databaseTools, ...databaseLinkTools, ...queryTools],
  Domains: domainTools,
  Knowledge: knowledgeTools,
} as const satisfies Record<string, readonly Tool[]>;

export const tools: readonly Tool[] = Object.values(toolGroups).flat();

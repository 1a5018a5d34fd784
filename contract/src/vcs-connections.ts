import { z } from 'zod';
import { id, message, timestamp } from './common-shapes.ts';
import { destroys, endpoint, readOnly, type EndpointDeclaration } from './endpoint.ts';
import { lastEventId } from './request-headers.ts';
import { asOf, partial } from './response-headers.ts';
import {
  attemptStatus,
  branchOfRepository,
  inferredOrganisation,
  leadsToHost,
  MAY_BE_OLD,
  MAY_BE_PARTIAL,
  ofRepository,
  organisationOfPath,
  organisationOfQuery,
  orgId,
  repositoryOfHost,
} from './vcs-shapes.ts';

const connection = z.object({
  id,
  accountLogin: z.string(),
  trouble: z.string().nullable().meta({ description: 'why the host no longer takes it: connect again' }),
  createdAt: timestamp,
});
const linkedConnection = connection.extend({
  ownerEmail: z.string().meta({ description: 'whose connection it is' }),
  linkedAt: timestamp,
});

const idOfYours = id.meta({ description: 'of a connection of yours' });

type Connected = 'provider2' | 'provider3';

/** The second and third host: what a person has allowed is linked to organisations. */
function connectionEndpoints<P extends Connected, R extends z.ZodType>(provider: P, repositoryId: R) {
  const base = `/api/${provider}` as const;
  const scope = { ...organisationOfPath, feature: provider } as const;
  const ofPerson = { ...scope, credential: 'session', organisation: null, permission: null, mcp: null } as const;
  return {
    'connection-status': endpoint({
      ...scope,
      organisation: 'query.organisationId',
      path: `${base}/connection-status`,
      summary: 'Tell whether a repository can be reached through a connection',
      query: z.object({
        organisationId: organisationOfQuery,
        owner: ofRepository.shape.owner,
        repo: ofRepository.shape.repo,
      }),
      output: z.object({
        configured: z.boolean().meta({ description: 'false: the operator has not set up the host' }),
        connected: z.boolean(),
        connectionId: id.nullable(),
        accountLogin: z.string().nullable(),
        repoAccess: z.boolean(),
        trouble: z.string().nullable().meta({ description: 'why none of those that are linked works' }),
      }),
      cli: [provider, 'status'],
      mcp: readOnly,
      errors: ['SV002'],
    }),
    connect: endpoint({
      ...leadsToHost,
      feature: provider,
      path: `${base}/connect`,
      summary: 'Get the address where a person lets the platform in',
      description: `The host sends them back to \`${base}/callback\`, which links the connection to the organisation.`,
      query: inferredOrganisation,
      output: z.object({ url: z.string() }),
      cli: [provider, 'connect'],
      mcp: null,
      errors: ['CF001'],
    }),
    repositories: endpoint({
      ...scope,
      path: `${base}/organisation/:orgId/repositories`,
      summary: "List the repositories that the organisation's connections reach",
      description: `${MAY_BE_OLD} ${MAY_BE_PARTIAL}`,
      params: z.object({ orgId }),
      output: z.array(repositoryOfHost.extend({ id: repositoryId })),
      responseHeaders: [asOf, partial],
      cli: [provider, 'repos'],
      mcp: readOnly,
      errors: ['CF001', 'SV002'],
    }),
    branches: endpoint({
      ...scope,
      path: `${base}/organisation/:orgId/repositories/:owner/:repo/branches`,
      summary: 'List the branches of a repository',
      description: `Groups within groups stand in \`owner\`, with their slashes encoded: \`group%2Finner\`. ${MAY_BE_OLD}`,
      params: ofRepository,
      output: z.array(branchOfRepository),
      responseHeaders: [asOf],
      cli: [provider, 'branches'],
      mcp: readOnly,
      errors: ['NF001', 'CF001', 'SV002'],
    }),
    'own-connections': endpoint({
      ...ofPerson,
      path: `${base}/connections`,
      summary: 'List your own connections',
      output: z.array(connection),
      cli: [provider, 'own-connections'],
    }),
    connections: endpoint({
      ...scope,
      path: `${base}/organisation/:orgId/connections`,
      summary: 'List the connections that are linked to the organisation',
      params: z.object({ orgId }),
      output: z.array(linkedConnection),
      cli: [provider, 'connections'],
      mcp: readOnly,
    }),
    'link-connection': endpoint({
      ...scope,
      method: 'POST',
      credential: 'session',
      permission: 'update:projects',
      needsLiveSession: true,
      path: `${base}/organisation/:orgId/link-connection`,
      summary: 'Let the organisation use a connection of yours',
      params: z.object({ orgId }),
      body: z.object({ connectionId: idOfYours }),
      output: linkedConnection,
      cli: [provider, 'link'],
      mcp: null,
      errors: ['NF001'],
    }),
    'unlink-connection': endpoint({
      ...scope,
      method: 'DELETE',
      permission: 'update:projects',
      path: `${base}/organisation/:orgId/connections/:id`,
      summary: 'Stop the organisation from using a connection',
      params: z.object({ orgId, id: id.meta({ description: 'of the connection' }) }),
      output: message,
      cli: [provider, 'unlink'],
      mcp: destroys,
      errors: ['NF001'],
    }),
    disconnect: endpoint({
      ...ofPerson,
      method: 'POST',
      needsLiveSession: true,
      path: `${base}/disconnect`,
      summary: 'Forget a connection of yours; every organisation that uses it loses it',
      body: z.object({ connectionId: idOfYours }),
      output: message,
      cli: [provider, 'disconnect'],
      errors: ['NF001'],
    }),
    stream: endpoint({
      ...scope,
      organisation: 'params.organisationId',
      needsLiveSession: true,
      path: `${base}/organisation/:organisationId/stream`,
      summary: 'Follow how a connection completes',
      description:
        'Server-sent events: `status` as the newest attempt goes on, `linked` when the connection can be used; then it ends.',
      params: z.object({ organisationId: orgId }),
      headers: [lastEventId],
      stream: true,
      output: z.object({
        status: attemptStatus,
        linked: z.object({ connectionId: id, accountLogin: z.string() }),
      }),
      cli: null,
      mcp: null,
    }),
  };
}

type Prefixed<P extends string, E> = { [K in keyof E & string as `${P}.${K}`]: E[K] };

function under<P extends string, E extends Record<string, EndpointDeclaration>>(prefix: P, endpoints: E) {
  const entries = Object.entries(endpoints).map(([name, declaration]) => [`${prefix}.${name}`, declaration]);
  return Object.fromEntries(entries) as Prefixed<P, E>;
}

export const vcsConnections = {
  ...under('provider2', connectionEndpoints('provider2', z.int())),
  ...under('provider3', connectionEndpoints('provider3', z.string().meta({ description: 'a uuid in braces' }))),
};

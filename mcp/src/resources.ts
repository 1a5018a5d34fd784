import { openApiDocument } from '@lilac/contract/openapi';
import { hasCode } from '@lilac/sdk';
import {
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { McpServerDeps } from './create-server.ts';
import { docPages } from './docs/doc-pages.ts';
import { explainError } from './explain-error.ts';

const LOG_LINES = 500;
const OWN_ORGANISATION = '-';

/** What can be read as a whole, and attached by a person: documents and logs. */
export function registerResources(server: McpServer, deps: McpServerDeps): void {
  registerOpenApi(server);
  registerDocs(server);
  registerLogs(server, deps);
}

function registerOpenApi(server: McpServer): void {
  server.registerResource(
    'openapi',
    'lilac://openapi.json',
    {
      title: 'The HTTP API (OpenAPI)',
      description: 'Every endpoint of the HTTP API. It is large: search_docs finds single endpoints.',
      mimeType: 'application/json',
    },
    (uri) => text(uri, 'application/json', openApi()),
  );
}

let writtenOpenApi: string | undefined;

/** It takes a while to write, and never changes. */
function openApi(): string {
  return (writtenOpenApi ??= JSON.stringify(openApiDocument()));
}

function registerDocs(server: McpServer): void {
  const template = new ResourceTemplate('lilac://docs/{+page}', {
    list: () => ({
      resources: docPages().map(({ name, title }) => ({
        uri: `lilac://docs/${name}`,
        name: `docs/${name}`,
        title,
        mimeType: MARKDOWN,
      })),
    }),
  });
  const description = 'A page of the documentation; search_docs finds the right one.';
  server.registerResource(
    'docs',
    template,
    { title: 'Documentation', description, mimeType: MARKDOWN },
    (uri, { page }) => {
      const found = docPages().find(({ name }) => name === page);
      if (!found) {
        throw new ResourceNotFoundError(
          uri.href,
          `There is no page "${String(page)}". resources/list has all of them.`,
        );
      }
      return text(uri, MARKDOWN, found.text);
    },
  );
}

const MARKDOWN = 'text/markdown';
const PLAIN = 'text/plain';

/** In an address nothing can be left out: with an API key "-" stands for its own organisation. */
function registerLogs(server: McpServer, { lilac }: McpServerDeps): void {
  server.registerResource(
    'environment-logs',
    new ResourceTemplate('lilac://organisations/{organisationId}/environments/{environmentId}/logs', {
      list: undefined,
    }),
    {
      title: 'Log of an environment',
      description: `The newest ${LOG_LINES} lines that an environment has written. With an API key the organisation is "-".`,
      mimeType: PLAIN,
    },
    (uri, { organisationId, environmentId }, { mcpReq: { signal } }) =>
      explained(uri, async () => {
        const body = { ...organisationOf(organisationId), environmentId: String(environmentId), limit: LOG_LINES };
        return text(uri, PLAIN, (await lilac.call('logs.search', { body, signal })).join('\n'));
      }),
  );
  server.registerResource(
    'build-log',
    new ResourceTemplate('lilac://organisations/{organisationId}/deployments/{deploymentId}/log', { list: undefined }),
    {
      title: 'Build log of a deployment',
      description: 'The whole log of a build. With an API key the organisation is "-".',
      mimeType: PLAIN,
    },
    (uri, { organisationId, deploymentId }, { mcpReq: { signal } }) =>
      explained(uri, async () => {
        const body = { ...organisationOf(organisationId), deploymentId: String(deploymentId) };
        return text(uri, PLAIN, (await lilac.call('deployments.get', { body, signal })).deployment_logs.join('\n'));
      }),
  );
}

function organisationOf(named: string | string[] | undefined): { targetOrganisationId: string | undefined } {
  return { targetOrganisationId: named === OWN_ORGANISATION ? undefined : String(named) };
}

async function explained(uri: URL, read: () => Promise<ReadResourceResult>): Promise<ReadResourceResult> {
  try {
    return await read();
  } catch (error) {
    if (hasCode(error, 'NF001')) throw new ResourceNotFoundError(uri.href, explainError(error));
    throw new Error(explainError(error), { cause: error });
  }
}

function text(uri: URL, mimeType: string, content: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType, text: content }] };
}

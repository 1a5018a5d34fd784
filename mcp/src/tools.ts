import type { EndpointDeclaration, McpHints } from '@lilac/contract/endpoint';
import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { toInputSchema, type JsonSchema } from '@lilac/contract/json-schema';

/** A tool as the Model Context Protocol describes it, and the endpoint it calls. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: JsonSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  endpoint: EndpointName;
}

/** One tool for every endpoint that the contract offers to assistants. */
export const tools: readonly Tool[] = endpointNames.flatMap((endpoint) => {
  const declaration = declarationOf(endpoint);
  return declaration.mcp ? [toTool(endpoint, declaration, declaration.mcp)] : [];
});

function toTool(endpoint: EndpointName, declaration: EndpointDeclaration, hints: McpHints): Tool {
  return {
    name: endpoint.replaceAll(/[.-]/g, '_'),
    description: [declaration.summary, declaration.description].filter(Boolean).join('. '),
    inputSchema: inputSchemaOf(declaration),
    annotations: {
      title: declaration.summary,
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: false,
    },
    endpoint,
  };
}

/** A tool takes one flat object, wherever the endpoint wants each field. */
function inputSchemaOf({ params, query, body }: EndpointDeclaration): JsonSchema {
  const parts = [params, query, body].flatMap((schema) => (schema ? [toInputSchema(schema)] : []));
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, JsonSchema>,
    required: parts.flatMap((part) => part.required ?? []),
  };
}

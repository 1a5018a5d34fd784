import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server';
import { chooseOrganisation } from './choose-organisation.ts';
import { confirm, InputNeeded } from './confirm.ts';
import { createAllowance } from './create-allowance.ts';
import type { McpServerDeps } from './create-server.ts';
import type { Progress, Tool } from './define-tool.ts';
import { explainError } from './explain-error.ts';
import { remembering } from './remembering-schema.ts';

export function registerTool(server: McpServer, tool: Tool, deps: McpServerDeps): void {
  const { name, title, description } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: remembering(tool.input),
      outputSchema: remembering(tool.output),
      annotations: annotationsOf(tool),
    },
    async (input, context) => await runTool(tool, { input, context, server, deps }),
  );
}

/** A client asks nobody before it calls what says that it only reads; for a secret it should. */
export function annotationsOf(tool: Tool): ToolAnnotations {
  const { title, access, isIdempotent = access === 'read', overwrites = false, looksOutside = false } = tool;
  return {
    title,
    readOnlyHint: access === 'read',
    // Where this is false, a client may take it that something is only added.
    destructiveHint: access === 'destroy' || overwrites,
    idempotentHint: isIdempotent,
    openWorldHint: looksOutside,
  };
}

interface Run {
  input: Record<string, unknown>;
  context: ServerContext;
  server: McpServer;
  deps: McpServerDeps;
}

async function runTool(tool: Tool, run: Run): Promise<CallToolResult | InputRequiredResult> {
  try {
    const answer = await callTool(tool, run);
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    if (error instanceof InputNeeded) return error.result;
    return { isError: true, content: [{ type: 'text', text: explainError(error) }] };
  }
}

async function callTool(tool: Tool, { input, context, server, deps }: Run): Promise<Record<string, unknown>> {
  const { lilac, stopping, questions } = deps;
  const signal = stopping ? AbortSignal.any([context.mcpReq.signal, stopping]) : context.mcpReq.signal;
  const { organisationId: named, confirm: given, ...own } = input as { organisationId?: string; confirm?: string };
  const takesOrganisation = 'organisationId' in tool.input.shape;
  const targetOrganisationId = takesOrganisation ? await chooseOrganisation(lilac, named, signal) : undefined;
  const assertAllowed = createAllowance({ lilac, targetOrganisationId, signal });
  const answer = await tool.run({
    input: own,
    lilac,
    targetOrganisationId,
    signal,
    progress: (progress) => tellProgress(context, progress),
    assertAllowed,
    confirm: (question) =>
      confirm({
        ...question,
        context,
        clientCapabilities: server.server.getClientCapabilities(),
        given,
        questions,
        tool: tool.name,
        input: { ...own, targetOrganisationId },
        isDeletion: tool.access === 'destroy',
        assertAllowed: () => assertAllowed(question.by),
      }),
  });
  // Whatever a tool forgot to leave out is left out here.
  return tool.output.parse(answer);
}

function tellProgress({ mcpReq }: ServerContext, { step, steps, message }: Progress): void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, progress: step, total: steps, message };
  // Who has gone needs no news.
  mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
}

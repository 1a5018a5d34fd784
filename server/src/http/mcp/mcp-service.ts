import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Log } from '../../lib/log.ts';
import { wantsReadOnly } from './wants-read-only.ts';

export interface McpServiceDeps {
  config: Pick<Config, 'publicUrl'>;
  log: Log;
  questionKey: Buffer;
  stopping: AbortSignal;
  innerFetchFor: (request: FastifyRequest) => typeof fetch;
}

export interface McpService {
  answer(request: FastifyRequest, gone: AbortSignal): Promise<Response>;
}

/** Answers one message; what it needs is loaded with the first one. */
export async function createMcpService(deps: McpServiceDeps): Promise<McpService> {
  const { config, log, questionKey, stopping, innerFetchFor } = deps;
  const { createHttpHandler } = await import('@lilac/mcp/create-http-handler');
  const answerMessage = createHttpHandler({
    baseUrl: config.publicUrl.origin,
    stopping,
    questionKey,
    onError: (error) => log.debug({ err: error }, 'a message of the MCP was refused'),
  });
  return {
    answer: (request, gone) =>
      answerMessage(messageOf(config, request, gone), request.body, {
        token: tokenOf(request),
        fetch: innerFetchFor(request),
        isReadOnly: wantsReadOnly(request),
        gone,
      }),
  };
}

/** As it came, but for the body, which has been read. */
function messageOf(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { method, url, headers }: FastifyRequest,
  signal: AbortSignal,
): Request {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'content-length' ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(new URL(url, publicUrl), { method, headers: entries, signal });
}

function tokenOf({ headers }: FastifyRequest): string {
  return /^Bearer +(\S+)/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

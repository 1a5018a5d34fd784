import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorCatalogue } from '@lilac/contract/errors';
import { pathsOf, type Config } from '../../config.ts';
import { Fault } from '../../lib/fault.ts';
import type { Log } from '../../lib/log.ts';
import { whenClosed } from '../when-closed.ts';
import { assertBatch, messagesOf } from './batch.ts';
import { createInnerFetch } from './inner-fetch.ts';
import { isOwnHost } from './own-host.ts';
import { challenge, METADATA_PATH, protectedResource } from './protected-resource.ts';
import { createMcpService, type McpService } from './mcp-service.ts';
import { rpcErrorOf } from './rpc-error.ts';
import { assertQuery } from './wants-read-only.ts';

export interface McpDeps {
  config: Config;
  log: Log;
  /** Seals what people are asked before something is deleted. */
  questionKey: Buffer;
  /** Where archives are sent to; null where that is the platform itself. */
  uploadOrigin: string | null;
}

const MCP_PATH = '/mcp';

/**
 * The MCP server for whoever speaks HTTP. Its tools call the API of this very process with the caller's credential:
 * what a caller may do is decided there, as always.
 */
export function registerMcp(app: FastifyInstance, deps: McpDeps): void {
  const { config } = deps;
  const stopping = new AbortController();
  app.addHook('preClose', (done) => {
    stopping.abort(new Fault('SV002', 'The platform is restarting. What was begun goes on; ask again.'));
    done();
  });
  const { objectsSocket } = pathsOf(config);
  const innerFetchFor = createInnerFetch(app, { objectsSocket, uploadOrigin: deps.uploadOrigin });
  // Most installations serve no assistant, and those that do need not wait for it at every start.
  let service: McpService | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    service ??= await createMcpService({ ...deps, stopping: stopping.signal, innerFetchFor });
    const gone = new AbortController();
    whenClosed(reply.raw, () => gone.abort());
    return await reply.send(await service.answer(request, gone.signal));
  };
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    assertOwnHost(config, request);
    const refusal = await refusalOf(innerFetchFor(request), request);
    const hasCredential = request.headers.authorization !== undefined;
    if (refusal) return await refuse(reply, refusal, challenge(config, hasCredential));
    assertQuery(request);
    return undefined;
  };
  // Every message counts as if it had come alone; the first one has been counted.
  const preHandler = async (request: FastifyRequest, reply: FastifyReply) => {
    assertBatch(request.body);
    let refusal: Refusal | null = null;
    for (let uncounted = messagesOf(request.body).length - 1; uncounted > 0 && !refusal; uncounted -= 1) {
      refusal = await refusalOf(innerFetchFor(request), request);
    }
    return refusal ? await refuse(reply, refusal, challenge(config, true)) : undefined;
  };
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    exposeHeadRoute: false,
    onRequest,
    preHandler,
    onSend: speakProtocol,
    handler: answer,
  });
  registerMetadata(app, config);
}

function registerMetadata(app: FastifyInstance, config: Config): void {
  const metadata = JSON.stringify(protectedResource(config));
  for (const path of [METADATA_PATH, METADATA_PATH + MCP_PATH]) {
    app.get(path, (_request, reply) => {
      void reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(metadata);
    });
  }
}

/** A page may give its own name our address (DNS rebinding); then it is its name that the browser asks for. */
function assertOwnHost(config: Config, { ownOrigin }: FastifyRequest): void {
  if (!isOwnHost(config, ownOrigin)) {
    throw new Fault('CA010', `Ask at ${config.publicUrl.origin}${MCP_PATH}: this host is not the platform's.`);
  }
}

/** Answers of the protocol itself are streams. */
function speakProtocol(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isRefusal = reply.statusCode >= 400 && typeof payload === 'string';
  done(null, isRefusal ? rpcErrorOf(reply.statusCode, payload) : payload);
}

interface Refusal {
  status: number;
  body: unknown;
  /** When to come again, where the refusal says it. */
  retryAfter?: string | null;
}

/** The cheapest question that everybody with a credential may ask: who is refused there is refused here. */
async function refusalOf(innerFetch: typeof fetch, { headers }: FastifyRequest): Promise<Refusal | null> {
  const authorization = headers.authorization;
  if (authorization === undefined) {
    const { status, message } = errorCatalogue.CA001;
    return { status, body: { message, code: 'CA001' } };
  }
  const response = await innerFetch('http://inside/api/config/feature-flags', { headers: { authorization } });
  const body: unknown = await response.json();
  return response.ok ? null : { status: response.status, body, retryAfter: response.headers.get('retry-after') };
}

async function refuse(reply: FastifyReply, refusal: Refusal, wwwAuthenticate: string): Promise<FastifyReply> {
  const { status, body, retryAfter } = refusal;
  if (status === 401) void reply.header('www-authenticate', wwwAuthenticate);
  if (retryAfter) void reply.header('retry-after', retryAfter);
  return await reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

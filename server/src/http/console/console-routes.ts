import { fileURLToPath } from 'node:url';
import { consolePaths } from '@lilac/contract/console-paths';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Config } from '../../config.ts';
import { chooseVariant, type ConsoleFile, matchesEtag, readConsoleFiles } from './console-files.ts';
import { consoleHeaders, type UploadOrigin } from './console-headers.ts';
import { notBuiltPage } from './not-built-page.ts';
import { registerSignIn, type SignInDeps } from './sign-in-route.ts';

export interface ConsoleDeps extends SignInDeps, UploadOrigin {
  config: Config;
  /** Where the built console is; left out, the console workspace's own output. */
  directory?: string;
}

/** Nothing that the rate limit is about. */
const OF_CONSOLE = { config: { isOfConsole: true } };

const BUILT_CONSOLE = fileURLToPath(new URL('../../../../console/dist', import.meta.url));

/** The console's files, its pages and its sign-in. Each has a route of its own, so nothing else is answered for. */
export async function registerConsole(app: FastifyInstance, deps: ConsoleDeps): Promise<void> {
  registerSignIn(app, deps);
  const said = { ...deps.config, uploadOrigin: deps.uploadOrigin };
  const files = await readConsoleFiles(deps.directory ?? BUILT_CONSOLE);
  for (const path of consolePaths) {
    const headers = consoleHeaders(said, path);
    app.get(path, OF_CONSOLE, files ? serve(files.get('/index.html')!, headers) : sayNotBuilt(headers));
  }
  const headers = consoleHeaders(said);
  if (files) serveMissingPages(app, serve(files.get('/index.html')!, headers));
  for (const file of files?.values() ?? []) {
    if (file.path !== '/index.html') app.get(file.path, OF_CONSOLE, serve(file, headers));
  }
}

/** Whoever types an address that is none gets the console, which says so; programs get the API's own refusal. */
function serveMissingPages(app: FastifyInstance, page: RouteHandlerMethod): void {
  const missingPage: RouteHandlerMethod = async function (request, reply) {
    reply.code(404);
    return await page.call(this, request, reply);
  };
  app.setNotFoundHandler(missingPage);
  app.decorate('missingPage', missingPage);
}

function serve(file: ConsoleFile, headers: Record<string, string>): RouteHandlerMethod {
  return async (request, reply) => {
    const { content, etag, encoding } = chooseVariant(file, request.headers['accept-encoding']);
    reply.headers({ ...headers, etag, vary: 'accept-encoding', 'cache-control': cacheControlOf(file) });
    if (encoding) reply.header('content-encoding', encoding);
    if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag))
      return await reply.code(304).send();
    return await reply.type(file.type).send(content);
  };
}

/** The build puts a hash of the content into the names below /assets; everything else must be asked for again. */
function cacheControlOf({ path }: ConsoleFile): string {
  return path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

function sayNotBuilt(headers: Record<string, string>): RouteHandlerMethod {
  return async (_request, reply) =>
    await reply.code(503).headers(headers).type('text/html; charset=utf-8').send(notBuiltPage);
}

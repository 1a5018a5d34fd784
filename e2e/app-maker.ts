import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What of a manifest the first host's page shows and keeps. */
interface Manifest {
  redirect_url: string;
  hook_attributes: { url: string };
}

export interface AppMaker extends AsyncDisposable {
  url: string;
  /** Where it asks people whether they want it. */
  askingUrl: string;
  /** As they were posted. */
  manifests: Manifest[];
  /** Whether it sends the browser straight back, as hosts do that were asked before. */
  isQuick: boolean;
}

const SLUG = 'lilac-of-the-test';

/** What whoever asks is told that the app and its client are known: the app, and that a code is not one it gave. */
const known: Record<string, object> = {
  '/api/v3/app': { name: 'Lilac of the test', slug: SLUG },
  '/login/oauth/access_token': { error: 'bad_verification_code' },
};

/**
 * The first host's side of making an app: what a manifest is posted to sends the browser to a page on another port of
 * the same site, as where people must sign in first; and what the code is exchanged for, once. Its site is not that of
 * the platform, which is at localhost.
 */
export async function startAppMaker(privateKey: string): Promise<AppMaker> {
  const manifests: Manifest[] = [];
  const codes = new Set<string>();
  const take = async (request: IncomingMessage): Promise<URL> => {
    const manifest = JSON.parse(new URLSearchParams(await text(request)).get('manifest')!) as Manifest;
    manifests.push(manifest);
    const back = new URL(manifest.redirect_url);
    const code = `code-${manifests.length}`;
    codes.add(code);
    back.searchParams.set('code', code);
    back.searchParams.set('state', new URL(request.url!, 'http://host').searchParams.get('state')!);
    return back;
  };
  const pageFor = (back: URL): URL => {
    const page = new URL(`${maker.askingUrl}/ask`);
    page.searchParams.set('back', back.href);
    return page;
  };
  const convert = (code: string): object | null =>
    codes.delete(code)
      ? {
          id: 4711,
          slug: SLUG,
          client_id: 'Iv1.test',
          client_secret: 'client-secret-of-the-test',
          pem: privateKey,
          webhook_secret: 'webhook-secret-of-the-test',
        }
      : null;
  const answer: RequestListener = (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://host');
    const [, code] = /^\/api\/v3\/app-manifests\/([^/]+)\/conversions$/.exec(pathname) ?? [];
    if (request.method === 'POST' && pathname === '/settings/apps/new') {
      void take(request).then((back) =>
        response.writeHead(303, { location: (maker.isQuick ? back : pageFor(back)).href }).end(),
      );
      return;
    }
    if (pathname === '/ask') {
      const back = searchParams.get('back')!.replaceAll('&', '&amp;');
      const page = `<!doctype html><title>New app</title><link rel="icon" href="data:,"><a href="${back}">Make it</a>`;
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      return;
    }
    const app = code === undefined ? null : convert(code);
    const found = app ?? known[pathname] ?? { message: 'Not Found' };
    const status = app ? 201 : pathname in known ? 200 : 404;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  };
  const [server, asking] = [createServer(answer).listen(0, '127.0.0.1'), createServer(answer).listen(0, '127.0.0.1')];
  await Promise.all([once(server, 'listening'), once(asking, 'listening')]);
  const maker: AppMaker = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    askingUrl: `http://127.0.0.1:${(asking.address() as AddressInfo).port}`,
    manifests,
    isQuick: false,
    async [Symbol.asyncDispose]() {
      for (const each of [server, asking]) {
        each.close().closeAllConnections();
        await once(each, 'close');
      }
    },
  };
  return maker;
}

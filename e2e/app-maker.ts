import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What of a manifest the first host's page shows and keeps. */
interface Manifest {
  redirect_url: string;
  hook_attributes: { url: string };
}

export interface AppMaker extends AsyncDisposable {
  url: string;
  /** As they were posted. */
  manifests: Manifest[];
}

const SLUG = 'lilac-of-the-test';

/** What whoever asks is told that the app and its client are known: the app, and that a code is not one it gave. */
const known: Record<string, object> = {
  '/api/v3/app': { name: 'Lilac of the test', slug: SLUG },
  '/login/oauth/access_token': { error: 'bad_verification_code' },
};

/** The first host's side of making an app: the page that a manifest is posted to, and what it is exchanged for, once. */
export async function startAppMaker(privateKey: string): Promise<AppMaker> {
  const manifests: Manifest[] = [];
  const codes = new Set<string>();
  const showPage = async (request: IncomingMessage): Promise<string> => {
    const manifest = JSON.parse(new URLSearchParams(await text(request)).get('manifest')!) as Manifest;
    manifests.push(manifest);
    const back = new URL(manifest.redirect_url);
    const code = `code-${manifests.length}`;
    codes.add(code);
    back.searchParams.set('code', code);
    back.searchParams.set('state', new URL(request.url!, 'http://host').searchParams.get('state')!);
    return `<!doctype html><title>New app</title><link rel="icon" href="data:,"><a href="${back.href.replaceAll('&', '&amp;')}">Make it</a>`;
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
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://host');
    const [, code] = /^\/api\/v3\/app-manifests\/([^/]+)\/conversions$/.exec(pathname) ?? [];
    if (request.method === 'POST' && pathname === '/settings/apps/new') {
      void showPage(request).then((page) => response.writeHead(200, { 'content-type': 'text/html' }).end(page));
      return;
    }
    const app = code === undefined ? null : convert(code);
    const answer = app ?? known[pathname] ?? { message: 'Not Found' };
    const status = app ? 201 : pathname in known ? 200 : 404;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    manifests,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

import { join } from 'node:path';
import { consolePaths } from '@lilac/contract/console-paths';
import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectRoutes, type Route } from '../testing/collect-routes.ts';
import { startApi, type TestApi } from '../testing/harness.ts';
import { readConsoleFiles } from './console/console-files.ts';

let api: TestApi;
let routes: Route[];
beforeAll(async () => {
  ({ built: api, routes } = await collectRoutes(async () => {
    const started = await startApi({ config: { metricsToken: 'the token of the metrics' } });
    await started.app.ready();
    return started;
  }));
});
afterAll(() => api?.[Symbol.asyncDispose]());

/**
 * All that the api answers besides the contract, and who may call it. Admission stands before none of these: whoever
 * adds one says here who it is for, and below or in a test of its own that nobody else is let in.
 */
const OUTSIDE: Record<string, string> = {
  'GET /api/openapi.json': 'anybody: the document of the contract',
  'GET /docs': 'anybody: the reference',
  'GET /docs/': 'anybody: the way to the reference',
  'GET /.well-known/oauth-authorization-server': 'anybody: where clients sign in',
  'GET /.well-known/oauth-protected-resource': 'anybody: what protects the MCP server',
  'GET /.well-known/oauth-protected-resource/mcp': 'anybody: what protects the MCP server',
  'GET /.well-known/acme-challenge/:token': 'a certificate authority that was told this token',
  'GET /metrics': 'whoever has the token of LILAC_METRICS_TOKEN',
  'GET /mcp': 'whoever has a credential of the API',
  'POST /mcp': 'whoever has a credential of the API',
  'DELETE /mcp': 'whoever has a credential of the API',
  'POST /console/sign-in': 'a page of the console, for somebody who knows a password',
  'POST /api/vcs-app/webhook': 'a repository host that signs',
  'POST /api/provider2/webhook': 'a repository host that signs',
  'POST /api/provider3/webhook': 'a repository host that signs',
  'GET /api/vcs-app/callback': 'a person whom a repository host sends back, with what was begun here',
  'GET /api/provider2/callback': 'a person whom a repository host sends back, with what was begun here',
  'GET /api/provider3/callback': 'a person whom a repository host sends back, with what was begun here',
};

const isOfContract = ({ endpoint }: Route) => endpoint !== undefined;
/** Wherever there is a page, its head alone can be asked for too. */
const isHead = ({ address }: Route) => address.startsWith('HEAD ');
const byAddress = (a: Route, b: Route) => a.address.localeCompare(b.address);
const addressesOf = (some: readonly Route[]) => some.map(({ address }) => address).toSorted();

describe('every route of the api', () => {
  it('is an endpoint of the contract, at its address and under its name', () => {
    const declared = endpointNames.flatMap((name) => {
      const { method, path, stream } = declarationOf(name);
      const methods = method === 'GET' && !stream ? ['GET', 'HEAD'] : [method];
      return methods.map((each) => ({ address: `${each} ${path}`, endpoint: name as string }));
    });
    expect(routes.filter(isOfContract).toSorted(byAddress)).toEqual(declared.toSorted(byAddress));
  });

  it('or one of the few others that are written down with who may call them, or a page or file of the console', async () => {
    const files = await readConsoleFiles(join(import.meta.dirname, '../../../console/dist'));
    const names = [...(files?.keys() ?? [])].filter((path) => path !== '/index.html');
    const shown = [...consolePaths, ...names].map((path) => `GET ${path}`);
    const others = routes.filter((route) => !isOfContract(route) && !isHead(route));
    expect(addressesOf(others)).toEqual([...Object.keys(OUTSIDE), ...shown].toSorted());
  });

  it('has no head of anything else', () => {
    const gets = new Set(routes.map(({ address }) => address));
    const alone = routes.filter((route) => isHead(route) && !gets.has(route.address.replace('HEAD', 'GET')));
    expect(addressesOf(alone)).toEqual([]);
  });
});

/** What a stranger without any proof is answered at those that are not for anybody. */
const REFUSALS: Record<string, number> = {
  'GET /.well-known/acme-challenge/:token': 404,
  'GET /metrics': 401,
  'GET /mcp': 401,
  'POST /mcp': 401,
  'DELETE /mcp': 401,
  'POST /console/sign-in': 403,
  'POST /api/vcs-app/webhook': 401,
  'POST /api/provider2/webhook': 401,
  'POST /api/provider3/webhook': 401,
};

describe('outside of the contract', () => {
  it.each(Object.entries(REFUSALS))('%s answers a stranger with %s', async (address, status) => {
    const [method, path] = address.split(' ') as ['GET' | 'POST' | 'DELETE', string];
    const body = method === 'POST' ? { email: 'somebody@example.org', password: 'guessed' } : undefined;
    const answer = await api.call(path.replace(':token', 'x'.repeat(20)), { method, body });
    expect(answer.status).toBe(status);
  });

  it('those that are not for anybody refuse strangers, or show a page that does nothing', () => {
    const guarded = Object.keys(OUTSIDE).filter((address) => !OUTSIDE[address]!.startsWith('anybody'));
    // fuzz-hosts.test.ts and vcs-return-page.test.ts send people back who have begun nothing.
    const refusing = guarded.filter((address) => !address.endsWith('/callback'));
    expect(Object.keys(REFUSALS).toSorted()).toEqual(refusing.toSorted());
  });
});

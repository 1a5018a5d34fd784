import type { Log } from '../lib/log.ts';
import type { Route, StaticTarget } from '../routing/route.ts';
import type { RouteTable } from './routes/route-table.ts';
import { planStaticAnswer } from './static/plan-static-answer.ts';
import type { SiteLibrary } from './static/site-library.ts';
import { errorAnswer, type StaticAnswer, type StaticRequest } from './static/static-answer.ts';

export interface AppAnswersOptions {
  routes: RouteTable;
  sites: SiteLibrary;
  log: Log;
}

/** What an application's address answers. Null: there is no such application. */
export type AppAnswers = (subdomain: string, request: StaticRequest) => StaticAnswer | Promise<StaticAnswer> | null;

export function createAppAnswers({ routes, sites, log }: AppAnswersOptions): AppAnswers {
  async function loadAndAnswer(target: StaticTarget, request: StaticRequest): Promise<StaticAnswer> {
    try {
      return planStaticAnswer(await sites.load(target), request);
    } catch (error) {
      log.error({ err: error, artifactId: target.artifactId }, 'A release cannot be read');
      return errorAnswer(unavailable, request.accept);
    }
  }

  return (subdomain, request) => {
    const route: Route | undefined = routes.find(subdomain);
    if (route === undefined) return routes.isKnown ? null : errorAnswer(unavailable, request.accept);
    if (route.target === null) return errorAnswer(nothingDeployed, request.accept);
    // Until the proxy is in place.
    if (route.target.kind !== 'static') return errorAnswer(unavailable, request.accept);
    const site = sites.peek(route.target);
    return site ? planStaticAnswer(site, request) : loadAndAnswer(route.target, request);
  };
}

const nothingDeployed = {
  code: 'NF001',
  title: 'Nothing is deployed here yet',
  message: 'This address is taken, but nothing has been deployed to it yet.',
} as const;
export const unavailable = {
  code: 'SV002',
  title: 'Back in a moment',
  message: 'This site cannot be served right now. Try again shortly.',
  retryAfterSeconds: 5,
} as const;

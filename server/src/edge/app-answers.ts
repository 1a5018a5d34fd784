import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { InstancesTarget, Route, StaticTarget } from '../routing/route.ts';
import { Access, type AccessLog } from './access-log/access-log.ts';
import { isDomainKey } from './address-key.ts';
import type { EnvironmentGate } from './instances/environment-gate.ts';
import type { Gate } from './instances/gate.ts';
import type { Gates } from './instances/gates.ts';
import { askAtDoor, keepPrivate } from './lock/door.ts';
import type { LockedRoute } from './lock/unlock-cookie.ts';
import { nothingDeployed, switchedOff } from './pages/app-errors.ts';
import type { RouteTable } from './routes/route-table.ts';
import { logUnreadable } from './static/log-unreadable.ts';
import { planStaticAnswer } from './static/plan-static-answer.ts';
import type { SiteLibrary } from './static/site-library.ts';
import { errorAnswer, type StaticAnswer, type StaticRequest } from './static/static-answer.ts';
import type { Traffic } from './traffic/traffic.ts';

export interface AppAnswersOptions {
  routes: RouteTable;
  sites: SiteLibrary;
  gates: Gates;
  traffic: Traffic;
  /** Null: nobody takes lines. */
  accessLog: AccessLog | null;
  clock: Clock;
  log: Log;
}

/** An answer, or the gate to the instances that have it. */
export type AppAnswer = StaticAnswer | Promise<StaticAnswer> | Gate;

/**
 * What an application's address answers, given as its key. Null: there is no such application, or the request is the
 * password's form; whoever reads requests with Node's own server answers both. Where the request is counted
 * and written down is noted in it.
 */
export type AppAnswers = (key: string, request: StaticRequest) => AppAnswer | null;

export function createAppAnswers(options: AppAnswersOptions): AppAnswers {
  const { routes, sites, gates, traffic, accessLog, clock, log } = options;

  async function loadAndAnswer(target: StaticTarget, request: StaticRequest): Promise<StaticAnswer> {
    try {
      return planStaticAnswer(await sites.load(target), request);
    } catch (error) {
      logUnreadable(log, { err: error, artifactId: target.artifactId }, 'A release cannot be read');
      return errorAnswer(unavailable, request.accept);
    }
  }

  /** The platform's own check of a release is nobody's visit. */
  function gateOf(environmentId: string, target: InstancesTarget, request: StaticRequest): EnvironmentGate {
    const gate = gates.of(environmentId, target);
    if (request.probe !== '' && gate.isProbe(request.probe)) request.counters = request.access = null;
    return gate;
  }

  function answerOpen({ environmentId, target }: Route, request: StaticRequest): AppAnswer {
    if (target === null) return errorAnswer(nothingDeployed, request.accept);
    if (target.kind === 'instances') return gateOf(environmentId, target, request);
    const site = sites.peek(target);
    return site ? planStaticAnswer(site, request) : loadAndAnswer(target, request);
  }

  function answerLocked(route: Route & LockedRoute, request: StaticRequest): AppAnswer | null {
    const { environmentId, target } = route;
    const gate = target?.kind === 'instances' ? gateOf(environmentId, target, request) : null;
    // The platform's own check of a release knows no password.
    if (gate && request.counters === null) return gate;
    const said = askAtDoor(route, request, clock);
    if (said === 'unlock') return null;
    if (said !== 'come-in') return said;
    const answer = gate ?? (answerOpen(route, request) as StaticAnswer | Promise<StaticAnswer>);
    if (answer instanceof Promise) return answer.then(keepPrivate);
    return 'take' in answer ? answer : keepPrivate(answer);
  }

  /** Its subdomain is switched off; but by it the platform checks its releases. */
  function answerSwitchedOff({ environmentId, target }: Route, request: StaticRequest): AppAnswer {
    const gate = target?.kind === 'instances' ? gates.of(environmentId, target) : null;
    return gate?.isProbe(request.probe) ? gate : errorAnswer(switchedOff, request.accept);
  }

  return (key, request) => {
    const route: Route | undefined = routes.find(key);
    if (route === undefined) return routes.isKnown ? null : errorAnswer(unavailable, request.accept);
    if (!route.atSubdomain && !isDomainKey(key)) return answerSwitchedOff(route, request);
    request.counters = traffic.of(route.environmentId);
    if (route.accessLog && accessLog !== null) request.access = new Access(accessLog, route, request);
    return route.lock === null ? answerOpen(route, request) : answerLocked(route as Route & LockedRoute, request);
  };
}

export const unavailable = {
  code: 'SV002',
  title: 'Back in a moment',
  message: 'This site cannot be served right now. Try again shortly.',
  retryAfterSeconds: 5,
} as const;

import type { GitProvider } from '@lilac/contract/states';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { createOwner, type TestOwner } from '../../../testing/factories.ts';
import { startApi, type Answer, type ApiOptions, type TestApi } from '../../../testing/harness.ts';
import { listActivityOfOrganisation } from '../../activity/activity-store.ts';
import { createStandInHosts, type StandInHosts } from './stand-in-hosts.ts';

/** What a browser has after it was given the address of a host. */
export interface Begun {
  url: string;
  state: string;
  /** As a browser sends it back. */
  cookie: string;
  /** The whole header that set it. */
  setCookie: string;
}

/** The API beside stand-in hosts: `await using bench = await createLinkBench()`. */
export interface LinkBench extends AsyncDisposable {
  api: TestApi;
  hosts: StandInHosts;
  owner: TestOwner;
  /** Asks for the address of the host; fails when that is refused. */
  begin(provider?: GitProvider, who?: TestOwner): Promise<Begun>;
  /** A browser comes back from the host. */
  comeBack(query: Record<string, string>, about?: { provider?: GitProvider; cookie?: string }): Promise<Answer>;
  /** Begins, installs the app, and comes back with the same browser. */
  link(accountLogin: string, who?: TestOwner): Promise<number>;
  get(path: string, who?: TestOwner): Promise<Answer>;
  linkedTo(who?: TestOwner): Promise<{ installationId: number; accountLogin: string }[]>;
  /** What the activity of the organisation says, oldest first: `action subject by actor`. */
  activity(who?: TestOwner): Promise<string[]>;
  /** Of the newest attempt of the organisation. */
  attempt(who?: TestOwner): Promise<{ state: string; message: string | null }>;
}

const beginnings: Record<GitProvider, string> = {
  provider1: '/api/vcs-app/install',
  provider2: '/api/provider2/connect',
  provider3: '/api/provider3/connect',
};
export const callbacks: Record<GitProvider, string> = {
  provider1: '/api/vcs-app/callback',
  provider2: '/api/provider2/callback',
  provider3: '/api/provider3/callback',
};

export async function createLinkBench(options: ApiOptions = {}): Promise<LinkBench> {
  const clock = options.clock ?? createFakeClock();
  const hosts = createStandInHosts(() => clock.now().getTime());
  const api = await startApi({ ...options, clock, vcsHosts: hosts });
  const owner = await createOwner(api);
  const { db } = api.store;
  const bench: LinkBench = {
    api,
    hosts,
    owner,
    async begin(provider = 'provider1', who = owner) {
      const answer = await bench.get(`${beginnings[provider]}?organisationId=${who.organisationId}`, who);
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
      const url = answer.body.url as string;
      const setCookie = String(answer.headers['set-cookie']);
      const state = new URL(url).searchParams.get('state')!;
      return { url, state, setCookie, cookie: setCookie.split(';', 1)[0]! };
    },
    comeBack: (query, { provider = 'provider1', cookie } = {}) =>
      api.call(`${callbacks[provider]}?${new URLSearchParams(query)}`, {
        method: 'GET',
        ...(cookie === undefined ? {} : { headers: { cookie } }),
      }),
    async link(accountLogin, who = owner) {
      const person = `admin-of-${accountLogin}`;
      hosts.provider1.people.add(person, { administers: [accountLogin] });
      const { id } = hosts.provider1.addInstallation(accountLogin);
      const { state, cookie } = await bench.begin('provider1', who);
      const code = hosts.provider1.people.codeFor(person);
      const answer = await bench.comeBack({ state, code, installation_id: String(id) }, { cookie });
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
      return id;
    },
    get: (path, who = owner) => api.call(path, { method: 'GET', token: who.token }),
    async linkedTo(who = owner) {
      const { body } = await bench.get(`/api/vcs-app/organisation/${who.organisationId}/installations`, who);
      return body as { installationId: number; accountLogin: string }[];
    },
    async activity(who = owner) {
      const entries = await listActivityOfOrganisation(db, who.organisationId, { limit: 100, offset: 0 });
      return entries.map(({ action, subject, actor_email }) => `${action} ${subject} by ${actor_email}`).toReversed();
    },
    attempt: (who = owner) =>
      db
        .selectFrom('vcs_attempts')
        .select(['state', 'message'])
        .where('organisation_id', '=', who.organisationId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
  return bench;
}

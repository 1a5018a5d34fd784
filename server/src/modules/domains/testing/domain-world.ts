import { startDnsServer, type TestDnsRecord, type TestDnsServer } from '../../../certificates/testing/dns-server.ts';
import type { DomainRow, EnvironmentRow } from '../../../db/schema.ts';
import { readAllLines } from '../../../logs/testing/log-world.ts';
import { findRoute } from '../../../routing/route-store.ts';
import type { Route } from '../../../routing/route.ts';
import { createApplication, createOwner, productionOf, unique, type TestOwner } from '../../../testing/factories.ts';
import { startApi, type Answer, type TestApi } from '../../../testing/harness.ts';
import { openDomains } from '../../../wire/domains.ts';
import type { DomainsDeps } from '../domains-deps.ts';
import type { DomainState } from '../read-state.ts';

/** By what the platform of these tests is reached. */
export const ADDRESSES = ['192.0.2.1', '2001:db8::1'];
const APPS_DOMAIN = 'apps.test';

/** The API beside a real DNS server, and people who have names there. */
export interface DomainWorld extends AsyncDisposable {
  api: TestApi;
  dns: TestDnsServer;
  deps: DomainsDeps;
  newOwner(): Promise<TestOwner>;
  /** Production of a new application. */
  newEnvironment(owner: TestOwner): Promise<EnvironmentRow>;
  call(path: string, body: object, owner: TestOwner): Promise<Answer>;
  /** Calls an endpoint of `applications` for the environment; fails when it is refused. */
  domain(what: string, environment: EnvironmentRow, body?: object): Promise<DomainState>;
  /** Looks anew, whatever was looked at a moment ago. */
  look(environment: EnvironmentRow): Promise<DomainState>;
  rowOf(environment: EnvironmentRow): Promise<DomainRow | undefined>;
  routeOf(environment: EnvironmentRow): Promise<Pick<Route, 'domain' | 'atSubdomain'>>;
  environmentOf(environment: EnvironmentRow): Promise<EnvironmentRow>;
  actionsOf(environment: EnvironmentRow): Promise<string[]>;
  /** What the environment's log says, oldest first. */
  logOf(environment: EnvironmentRow): Promise<string[]>;
  /** In how many seconds its next look is due, by the queue. */
  secondsToCheck(environment: EnvironmentRow): Promise<number>;
  /** Links names to what leads to the environment. */
  link(environment: EnvironmentRow, ...names: string[]): Promise<void>;
}

export async function openDomainWorld(
  settings: { addresses?: string[]; appsDomain?: string; isSecure?: boolean } = {},
): Promise<DomainWorld> {
  const { addresses: publicAddresses = ADDRESSES, appsDomain = APPS_DOMAIN, isSecure = true } = settings;
  const dns = await startDnsServer();
  const domains = { publicAddresses, dnsServers: [dns.address], dnsHook: null };
  const tls = { port: isSecure ? 7443 : null, isPortRequired: true, hstsSeconds: null };
  const publicUrl = new URL('https://hub.example');
  const api = await startApi({ config: { domains, appsDomain, publicUrl, tls } });
  const owners = new Map<string, TestOwner>();
  const { db } = api.store;
  const call = (path: string, body: object, { token, organisationId }: TestOwner) =>
    api.call(path, { token, body: { targetOrganisationId: organisationId, ...body } });
  const domain = async (what: string, environment: EnvironmentRow, body: object = {}): Promise<DomainState> => {
    const owner = owners.get(environment.organisation_id)!;
    const answer = await call(`/api/applications/${what}-domain`, { environmentId: environment.id, ...body }, owner);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body as DomainState;
  };
  return {
    api,
    dns,
    deps: { ...api, ...(await openDomains(api)) },
    async newOwner() {
      const owner = await createOwner(api);
      owners.set(owner.organisationId, owner);
      return owner;
    },
    async newEnvironment({ organisationId }) {
      const application = await createApplication(api, { organisationId, name: unique('Shop') });
      return productionOf(api, application.id);
    },
    call,
    domain,
    look(environment) {
      api.clock.advance(5000);
      return domain('check', environment);
    },
    rowOf: ({ id }) => db.selectFrom('domains').selectAll().where('environment_id', '=', id).executeTakeFirst(),
    async routeOf({ id }) {
      const { domain: at, atSubdomain } = (await findRoute(db, id))!;
      return { domain: at, atSubdomain };
    },
    environmentOf: ({ id }) => db.selectFrom('environments').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async actionsOf(environment) {
      const owner = owners.get(environment.organisation_id)!;
      const { body } = await call('/api/environments/activity', { environmentId: environment.id, limit: 100 }, owner);
      return (body as { action: string }[]).map(({ action }) => action).toReversed();
    },
    async logOf(environment) {
      const lines = await readAllLines(db, environment.id);
      return lines.map(({ severity, message }) => `${severity} ${message}`);
    },
    async secondsToCheck({ id }) {
      const { rows } = await api.store.pool.query<{ seconds: number }>(
        `select extract(epoch from run_at - now())::int as seconds from jobs
         where kind = 'domains.check' and state = 'queued'
           and key = (select id from domains where environment_id = $1)`,
        [id],
      );
      return rows[0]!.seconds;
    },
    async link({ subdomain }, ...names) {
      const value = `${subdomain}.${appsDomain}`;
      const links = names.map((name): TestDnsRecord => ({ type: 'CNAME', name, value }));
      await dns.add({ type: 'A', name: value, value: publicAddresses[0]! }, ...links);
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

import { openAuthorityBench, type AuthorityBench } from '../../../certificates/testing/authority-bench.ts';
import type { PebbleOptions } from '../../../certificates/testing/pebble.ts';
import { openAnswers } from '../../../certificates/acme/challenge-answers.ts';
import { deleteChallengesBefore } from '../../../certificates/acme/challenge-store.ts';
import type { CertificateRow } from '../../../db/schema.ts';
import { createWorker, type Worker } from '../../../jobs/worker.ts';
import { newId } from '../../../lib/ids.ts';
import { silentLog } from '../../../lib/log.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createApplication, createOwner, productionOf, unique, type TestOwner } from '../../../testing/factories.ts';
import { startApi, type TestApi } from '../../../testing/harness.ts';
import type { CertificatesDeps } from '../certificates-deps.ts';
import { ensureCertificate } from '../ensure-certificate.ts';
import { recordOrder, settleOrder } from '../order-budget-store.ts';
import { certificateJobs } from '../jobs.ts';
import { retryCertificate } from '../retry-certificate.ts';
import { watchCertificates } from '../watch-certificates.ts';

/** A domain that was proved, and whose certificate is wanted. */
export interface WantedDomain {
  domainId: string;
  environmentId: string;
  hostname: string;
}

/** The worker's part for certificates, beside a real authority. */
export interface CertificateWorld extends AsyncDisposable {
  api: TestApi;
  bench: AuthorityBench;
  deps: CertificatesDeps;
  owner: TestOwner;
  /** Takes jobs until it is stopped. */
  work(deps?: Partial<CertificatesDeps>): Promise<Worker>;
  /** With a name that leads here, unless told otherwise. */
  addDomain(options?: { hostname?: string; leadsHere?: boolean; owner?: TestOwner }): Promise<WantedDomain>;
  /**
   * As if so many certificates had just been ordered: by that organisation, for names of that domain, or by anybody.
   */
  fillBudget(of: {
    organisationId?: string;
    domain?: string;
    hostname?: string;
    most: number;
    isRenewal?: boolean;
    /** What came of them; left out: certificates. */
    state?: 'issued' | 'failed';
  }): Promise<void>;
  ensure(domain: WantedDomain): Promise<void>;
  retry(domain: WantedDomain): Promise<void>;
  row(domain: Pick<WantedDomain, 'hostname'>): Promise<CertificateRow>;
  until(
    domain: Pick<WantedDomain, 'hostname'>,
    what: string,
    isTrue: (row: CertificateRow) => boolean,
  ): Promise<CertificateRow>;
  /** What is due by then is done. */
  watchAt(time: Date): Promise<void>;
  actionsOf(domain: WantedDomain): Promise<string[]>;
  logOf(domain: WantedDomain): Promise<string[]>;
  jobs(kind: string): Promise<{ state: string; result: unknown }[]>;
}

export async function openCertificateWorld(options: Partial<PebbleOptions> = {}): Promise<CertificateWorld> {
  const api = await startApi();
  const { store, clock } = api;
  const bench = await openAuthorityBench(store, options);
  const owner = await createOwner(api);
  const workers: Worker[] = [];
  const deps: CertificatesDeps = {
    store,
    clock,
    keyring: api.keyring,
    log: silentLog,
    config: api.config,
    authority: bench.authority,
    openAnswers: (signal) => openAnswers({ store, clock, log: silentLog, dnsHook: null }, signal),
    sweepAnswers: () => deleteChallengesBefore(store.db, clock.now()),
  };
  const row = ({ hostname }: Pick<WantedDomain, 'hostname'>) =>
    store.db.selectFrom('certificates').selectAll().where('hostname', '=', hostname).executeTakeFirstOrThrow();
  const call = async (path: string, body: object) => {
    const whole = { targetOrganisationId: owner.organisationId, limit: 100, ...body };
    // The clock may be far ahead of the one that was issued first.
    const token = await api.accessTokens.issue(owner);
    return (await api.call(path, { token, body: whole })).body as unknown[];
  };
  return {
    api,
    bench,
    deps,
    owner,
    async work(given = {}) {
      const handlers = certificateJobs({ ...deps, ...given }).filter(({ everyMs }) => everyMs === undefined);
      const worker = createWorker({ store, log: silentLog, name: 'one', handlers });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    async addDomain({
      hostname = `${unique('www')}.example.org`.toLowerCase(),
      leadsHere = true,
      owner: { organisationId } = owner,
    } = {}) {
      if (leadsHere) await bench.point(hostname);
      const application = await createApplication(api, { organisationId });
      const { id: environmentId } = await productionOf(api, application.id);
      const domainId = newId('dom');
      const named = {
        id: domainId,
        hostname,
        environment_id: environmentId,
        verified_at: clock.now(),
        is_reached: true,
      };
      await store.db
        .insertInto('domains')
        .values({ ...named, organisation_id: organisationId })
        .execute();
      return { domainId, environmentId, hostname };
    },
    async fillBudget({ organisationId = null, most, isRenewal = false, state = 'issued', ...of }) {
      const { domain = 'elsewhere.example', hostname = `www.${domain}` } = of;
      await store.db.transaction().execute(async (tx) => {
        for (let left = most; left > 0; left--) {
          const orderUrl = `https://authority.example/${newId('dom')}`;
          const orderedAt = clock.now();
          await recordOrder(tx, { orderUrl, hostname, organisationId, domain, isRenewal, orderedAt });
          await settleOrder(tx, orderUrl, state);
        }
      });
    },
    ensure: ({ hostname, domainId }) =>
      store.db.transaction().execute((tx) => ensureCertificate(tx, { hostname, domainId })),
    retry: ({ domainId }) => store.db.transaction().execute((tx) => retryCertificate(tx, domainId, clock.now())),
    row,
    async until(domain, what, isTrue) {
      await eventually(`${domain.hostname} ${what}`, async () => isTrue(await row(domain)));
      return row(domain);
    },
    async watchAt(time) {
      clock.advance(Math.max(0, time.getTime() - clock.now().getTime()));
      await watchCertificates(deps);
    },
    async actionsOf({ environmentId }) {
      const entries = (await call('/api/environments/activity', { environmentId })) as { action: string }[];
      return entries.map(({ action }) => action).toReversed();
    },
    logOf: ({ environmentId }) => call('/api/environments/logs', { environmentId }) as Promise<string[]>,
    async jobs(kind) {
      const { rows } = await store.pool.query<{ state: string; result: unknown }>(
        'select state, result from jobs where kind = $1 order by id',
        [kind],
      );
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.stop({ finishMs: 0 })));
      await bench[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

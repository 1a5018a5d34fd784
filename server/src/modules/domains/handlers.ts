import type { domains } from '@lilac/contract/domains';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';
import type { Caller, Handlers } from '../../http/handler.ts';
import { notFound } from '../../lib/fault.ts';
import { findProduction } from '../environments/environment-store.ts';
import { createCheck } from './check-domain.ts';
import { listDomainWarnings } from './domain-warning-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { giveDomain } from './give-domain.ts';
import { readHostname } from './hostname.ts';
import { readState } from './read-state.ts';
import { removeDomain } from './remove-domain.ts';
import { retryDomain } from './retry-domain.ts';

export type DomainEndpoint = keyof typeof domains;

export function domainHandlers(deps: DomainsDeps): Pick<Handlers, DomainEndpoint> {
  const { config } = deps;
  const { db } = deps.store;
  const check = createCheck(deps);
  /** An application stands for its production environment. */
  const environmentOf = async (resource: ApplicationRow | EnvironmentRow): Promise<EnvironmentRow> => {
    if ('application_id' in resource) return resource;
    const production = await findProduction(db, resource.id);
    if (!production) throw notFound('Environment');
    return production;
  };
  const add = async (environment: EnvironmentRow, given: string, caller: Caller) => {
    const hostname = readHostname(config, 'domain', given);
    await giveDomain(deps, { environment, hostname, caller, replaces: false });
    return readState(deps, environment);
  };
  const look = async (environment: EnvironmentRow) => {
    await check(environment);
    return readState(deps, environment);
  };
  const retry = async (environment: EnvironmentRow, caller: Caller) => {
    await retryDomain(deps, { environment, caller });
    return readState(deps, environment);
  };
  return {
    'applications.add-domain': async ({ resource, body, caller }) =>
      add(await environmentOf(resource), body.domain, caller),
    'applications.check-domain': async ({ resource }) => look(await environmentOf(resource)),
    'applications.retry-domain': async ({ resource, caller }) => retry(await environmentOf(resource), caller),
    'applications.update-domain': async ({ resource, body, caller }) => {
      const hostname = readHostname(config, 'newDomain', body.newDomain);
      const environment = await environmentOf(resource);
      await giveDomain(deps, { environment, hostname, caller, replaces: true });
      return readState(deps, environment);
    },
    'applications.remove-domain': async ({ resource, body: { revertToAutoSubdomain }, caller }) => {
      const environment = await environmentOf(resource);
      await removeDomain(deps, { environment, caller, revertsToSubdomain: revertToAutoSubdomain });
      return readState(deps, environment);
    },
    'applications.domain-warnings': async ({ organisation }) => {
      const rows = await listDomainWarnings(db, {
        organisationId: organisation.id,
        now: deps.clock.now(),
        isSecure: deps.config.tls.port !== null,
      });
      return rows.map(({ application_name, environment_name, ...row }) => ({
        ...row,
        subject: `${application_name} / ${environment_name}`,
      }));
    },
    'environments.add-domain': ({ resource, body, caller }) => add(resource, body.domain, caller),
    'environments.check-domain': ({ resource }) => look(resource),
    'environments.retry-domain': ({ resource, caller }) => retry(resource, caller),
  };
}

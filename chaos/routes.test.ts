import { describe, expect, it } from 'vitest';
import { publishRoute } from '../server/src/routing/route-store.ts';
import { createApplication, productionOf } from '../server/src/testing/factories.ts';
import { createTestStore } from '../server/src/testing/test-store.ts';
import { expectationsOf } from './invariants/edges-serve.ts';
import { areRowsRight } from './invariants/routes.ts';
import { Ledger } from './ledger.ts';
import { readRoutes, type StoredRoute } from './peek-store.ts';
import type { Scene } from './scene.ts';
import { createOrganisation } from './testing/create-organisation.ts';

const route: StoredRoute = {
  environmentId: 'env_site',
  subdomain: 'site',
  ownSubdomain: 'site',
  applicationName: 'site',
  isRouted: true,
  isThere: true,
  target: { kind: 'static', artifactId: 'art_1', deploymentId: 'dep_1', revision: 0 },
  liveDeploymentId: 'dep_1',
  version: 1,
};

describe('what the store says of routes', () => {
  it('is wrong where an environment has none, as it is where a route has no environment', async () => {
    await using store = await createTestStore();
    const { id, name } = await createApplication({ store }, { organisationId: await createOrganisation(store) });
    const { id: environmentId, subdomain } = await productionOf({ store }, id);
    expect(areRowsRight(await readRoutes(store))).toMatchObject([
      { about: environmentId, what: 'it is there, and has no route' },
    ]);
    const publish = (to: string, of: string) =>
      store.db.transaction().execute((tx) => publishRoute(tx, { environmentId: of, subdomain: to, target: null }));
    await publish(subdomain, environmentId);
    expect(await readRoutes(store)).toMatchObject([{ environmentId, applicationName: name, isRouted: true }]);
    expect(areRowsRight(await readRoutes(store))).toEqual([]);
    await publish('former', 'env_gone');
    expect(areRowsRight(await readRoutes(store))).toMatchObject([
      { about: 'env_gone', what: 'it is gone, and is served at former' },
    ]);
  });

  it('is wrong where another name is routed, or another release', () => {
    expect(areRowsRight([route])).toEqual([]);
    expect(areRowsRight([{ ...route, subdomain: 'former' }])).toMatchObject([
      { what: 'its name is site, former is routed' },
    ]);
    expect(areRowsRight([{ ...route, liveDeploymentId: 'dep_2' }])).toMatchObject([
      { what: 'dep_2 is live, dep_1 is routed' },
    ]);
  });
});

const urlOf = (name: string) => `http://${name}.localhost:8080`;

describe('what edges are asked', () => {
  const ledger = new Ledger();
  ledger.noteDeployment({ environmentId: 'env_site', id: 'dep_1', words: 'site release 1' });
  const [site, server, sleeper] = ['site', 'server', 'sleeper'].map((part) => ({
    part,
    environmentId: `env_${part}`,
    url: urlOf(part),
  }));
  const addresses = new Set([urlOf('site'), urlOf('application-1'), urlOf('sleeper'), urlOf('sleeper-2')]);
  const asked = expectationsOf({ site, server, sleeper, ledger, addresses } as unknown as Scene, [
    route,
    { ...route, environmentId: 'env_sleeper', ownSubdomain: 'sleeper-2', applicationName: 'sleeper 2' },
    { ...route, environmentId: 'env_2', ownSubdomain: 'application-2', applicationName: 'application 2' },
    { ...route, environmentId: 'env_3', ownSubdomain: 'application-3', liveDeploymentId: null, target: null },
  ]);
  const isRight = (name: string, answer: string) => asked.find(({ url }) => url === urlOf(name))!.isRight(answer);

  it('is every environment that is there, by what is live', () => {
    expect([isRight('site', '200 site release 1'), isRight('site', '200 site release 2')]).toEqual([true, false]);
    expect([isRight('sleeper-2', '200 sleeper release 0'), isRight('sleeper-2', '404 ')]).toEqual([true, false]);
    expect([isRight('application-2', '200 application 2'), isRight('application-2', '404 ')]).toEqual([true, false]);
    expect([isRight('application-3', '404 Nothing'), isRight('application-3', '200 ')]).toEqual([true, false]);
  });

  it('is every address that was given up, at which nothing may be', () => {
    for (const name of ['application-1', 'sleeper']) {
      expect([isRight(name, '404 Nothing'), isRight(name, '200 sleeper release 0')]).toEqual([true, false]);
    }
    expect(asked).toHaveLength(6);
  });
});

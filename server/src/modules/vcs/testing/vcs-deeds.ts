import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import type { GitProvider } from '@lilac/contract/states';
import { unique, type TestOwner } from '../../../testing/factories.ts';
import type { TestApi } from '../../../testing/harness.ts';
import { saveConnection } from '../connections/connection-store.ts';
import { sealTokens } from '../connections/seal-tokens.ts';
import type { StandInHosts } from './stand-in-hosts.ts';

interface Place {
  api: TestApi;
  owner: TestOwner;
  hosts: StandInHosts;
}

interface Linked {
  account: string;
  /** Of the installation or the connection. */
  id: number | string;
}

/** What people change about repository hosts, for the test that every change is told. The world is opened later. */
export function vcsDeeds(place: () => Place) {
  const ofInstallation = { make: () => newInstallation(place()), idField: 'installationId', param: 'installId' };
  const ofConnection = (provider: 'provider2' | 'provider3') => ({
    make: () => newConnection(place(), provider),
    idField: 'connectionId',
    param: 'id',
  });
  const link = (
    name: EndpointName,
    action: string,
    { make, idField }: { make: () => Promise<Linked>; idField: string },
  ) => ({
    prepare: make,
    act: async ({ id, account }: Linked) => {
      await call(place(), name, { body: { [idField]: id } });
      return { action, subject: account };
    },
  });
  const lose = (
    names: { link: EndpointName; lose: EndpointName },
    action: string,
    { make, idField, param }: { make: () => Promise<Linked>; idField: string; param: string },
  ) => ({
    prepare: async () => {
      const made = await make();
      await call(place(), names.link, { body: { [idField]: made.id } });
      return made;
    },
    act: async ({ id, account }: Linked) => {
      await call(place(), names.lose, { params: { [param]: id } });
      return { action, subject: account };
    },
  });
  const installation = { link: 'vcs-app.link-installation' } as const;
  return {
    'vcs-app.link-installation': link('vcs-app.link-installation', 'installation_linked', ofInstallation),
    'vcs-app.unlink-installation': lose(
      { ...installation, lose: 'vcs-app.unlink-installation' },
      'installation_unlinked',
      ofInstallation,
    ),
    'vcs-app.uninstall': lose(
      { ...installation, lose: 'vcs-app.uninstall' },
      'installation_uninstalled',
      ofInstallation,
    ),
    'provider2.link-connection': link('provider2.link-connection', 'connection_linked', ofConnection('provider2')),
    'provider2.unlink-connection': lose(
      { link: 'provider2.link-connection', lose: 'provider2.unlink-connection' },
      'connection_unlinked',
      ofConnection('provider2'),
    ),
    'provider3.link-connection': link('provider3.link-connection', 'connection_linked', ofConnection('provider3')),
    'provider3.unlink-connection': lose(
      { link: 'provider3.link-connection', lose: 'provider3.unlink-connection' },
      'connection_unlinked',
      ofConnection('provider3'),
    ),
  };
}

/** An installation whose account the owner administers, as the host says. */
async function newInstallation(place: Place): Promise<Linked> {
  const account = unique('acme');
  const { id } = place.hosts.provider1.addInstallation(account);
  await signIn(place, { provider: 'provider1', login: unique('ada'), administers: [account] });
  return { account, id };
}

async function newConnection(place: Place, provider: 'provider2' | 'provider3'): Promise<Linked> {
  const account = unique('ada');
  return { account, id: (await signIn(place, { provider, login: account, administers: [] })).id };
}

/** As if the owner had been at the host and come back. */
function signIn(
  { api, owner: { userId }, hosts }: Place,
  { provider, login, administers }: { provider: GitProvider; login: string; administers: string[] },
) {
  const { people } = hosts[provider];
  const { id } = people.add(login, { administers });
  const tokens = people.tokensFor(login);
  const seal = (connectionId: string) => sealTokens(api.keyring, connectionId, tokens);
  return api.store.db
    .transaction()
    .execute((tx) => saveConnection(tx, { provider, userId, person: { id, login }, seal }));
}

async function call(
  { api, owner }: Place,
  name: EndpointName,
  { params = {}, body }: { params?: Record<string, unknown>; body?: object },
): Promise<void> {
  const { path, method, status } = declarationOf(name);
  const given: Record<string, unknown> = { orgId: owner.organisationId, ...params };
  const answer = await api.call(
    path.replaceAll(/:(\w+)/g, (_whole, field: string) => String(given[field])),
    {
      method,
      token: owner.token,
      ...(body && { body }),
    },
  );
  if (answer.status !== status) throw new Error(`${name}: ${answer.status} ${answer.text}`);
}

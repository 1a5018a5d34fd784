import { randomUUID } from 'node:crypto';
import type { AppHost, ConnectionHost, HostInstallation } from '../../../vcs/vcs-host.ts';
import type { VcsHosts } from '../vcs-deps.ts';
import { createStandInHost, type StandInControls, type StandInRepository } from './stand-in-host.ts';

export interface StandInAppHost extends AppHost, StandInControls {
  readonly installations: Map<number, StandInInstallation>;
  /** Reaches every repository of the account, or the ones that are named. */
  addInstallation(accountLogin: string, about?: Partial<StandInInstallation>): StandInInstallation;
}

export interface StandInInstallation extends HostInstallation {
  /** Their full names; null: all of the account. */
  granted: string[] | null;
}

export interface StandInConnectionHost extends ConnectionHost, StandInControls {
  /** The ids of hooks, by the ids of repositories. */
  readonly hooks: Map<string, { id: string; url: string }>;
}

/** All three hosts as notes in memory: `startApi({ vcsHosts: createStandInHosts() })`. */
export interface StandInHosts extends VcsHosts {
  provider1: StandInAppHost;
  provider2: StandInConnectionHost;
  provider3: StandInConnectionHost;
}

/** Tokens expire by `now`; hand in the clock of the test where that matters. */
export function createStandInHosts(now: () => number = Date.now): StandInHosts {
  const provider1 = createStandInApp(now);
  const provider2 = createStandInConnectionHost('provider2', now);
  const provider3 = createStandInConnectionHost('provider3', now);
  const all = { provider1, provider2, provider3 };
  return {
    ...all,
    app: async () => (provider1.isSetUp ? provider1 : null),
    connection: async (provider) => (all[provider].isSetUp ? all[provider] : null),
    any: async (provider) => all[provider],
  };
}

function createStandInApp(now: () => number): StandInAppHost {
  const installations: StandInAppHost['installations'] = new Map();
  let lastId = 5000;
  const { host, ask } = createStandInHost('provider1', {
    now,
    reaches(access, repository, people) {
      if (access.kind === 'person') return people.whose(access.accessToken)?.reaches.has(repository.fullName) === true;
      const installation = access.kind === 'installation' && installations.get(access.installationId);
      return installation ? isGranted(installation, repository) : false;
    },
    isInForce: (access) =>
      access.kind !== 'installation' || installations.get(access.installationId)?.isSuspended === false,
  });
  const administers = (accessToken: string, { account }: HostInstallation) => {
    const person = host.people.whose(accessToken);
    return person !== null && (person.login === account.login || person.administers.has(account.login));
  };
  // The controls are switches: they stay those of the one object.
  return Object.assign(host, {
    provider: 'provider1' as const,
    installations,
    addInstallation(accountLogin: string, about: Partial<StandInInstallation> = {}) {
      const id = about.id ?? ++lastId;
      const installation: StandInInstallation = {
        id,
        account: { id: id + 1_000_000, login: accountLogin, type: 'organisation' },
        repositorySelection: about.granted ? 'selected' : 'all',
        isSuspended: false,
        url: `https://provider1.example/settings/installations/${id}`,
        granted: null,
        ...about,
      };
      installations.set(id, installation);
      return installation;
    },
    installUrl: (state: string) =>
      `https://provider1.example/apps/lilac/installations/new?state=${encodeURIComponent(state)}`,
    findInstallation: (id: number) =>
      ask('findInstallation', () => (installations.has(id) ? asHostSays(installations.get(id)!) : null)),
    listInstallations: () => ask('listInstallations', () => [...installations.values()].map(asHostSays)),
    installationsOf: (accessToken: string) =>
      ask('installationsOf', () => {
        const person = host.people.whose(accessToken);
        const isSeen = (installation: StandInInstallation) =>
          administers(accessToken, installation) ||
          [...host.repositories.values()].some(
            (repository) => person!.reaches.has(repository.fullName) && isGranted(installation, repository),
          );
        return person && [...installations.values()].filter(isSeen).map(asHostSays);
      }),
    administers: (accessToken: string, installation: HostInstallation) =>
      ask('administers', () => administers(accessToken, installation)),
    uninstall: (id: number) => ask('uninstall', () => void installations.delete(id)),
  });
}

function isGranted(
  { account, granted, isSuspended }: StandInInstallation,
  { owner, fullName }: StandInRepository,
): boolean {
  if (isSuspended || owner.toLowerCase() !== account.login.toLowerCase()) return false;
  return granted === null || granted.includes(fullName);
}

function asHostSays({ id, account, repositorySelection, isSuspended, url }: StandInInstallation): HostInstallation {
  return { id, account: { ...account }, repositorySelection, isSuspended, url };
}

function createStandInConnectionHost(provider: 'provider2' | 'provider3', now: () => number): StandInConnectionHost {
  const hooks: StandInConnectionHost['hooks'] = new Map();
  const { host, ask } = createStandInHost(provider, {
    now,
    reaches: (access, { fullName }, people) =>
      access.kind === 'person' && people.whose(access.accessToken)?.reaches.has(fullName) === true,
  });
  return Object.assign(host, {
    hooks,
    ensureHook: (
      access: Parameters<ConnectionHost['ensureHook']>[0],
      hook: Parameters<ConnectionHost['ensureHook']>[1],
    ) =>
      ask('ensureHook', () => {
        const { repository, url } = hook;
        const person = access.kind === 'person' ? host.people.whose(access.accessToken) : null;
        if (!person?.reaches.has(repository.fullName)) return null;
        const known = hooks.get(repository.id) ?? { id: randomUUID(), url };
        hooks.set(repository.id, { ...known, url });
        return known.id;
      }),
    removeHook: (_access: unknown, { repositoryId, hookId }: { repositoryId: string; hookId: string }) =>
      ask('removeHook', () => void (hooks.get(repositoryId)?.id === hookId && hooks.delete(repositoryId))),
  });
}

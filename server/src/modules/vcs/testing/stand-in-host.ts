import { createHmac, randomUUID } from 'node:crypto';
import type { GitProvider } from '@lilac/contract/states';
import { Fault } from '../../../lib/fault.ts';
import type { Branch } from '../../../vcs/git/repository.ts';
import {
  ForgedDelivery,
  HostUnavailable,
  type CommitStatus,
  type Delivery,
  type GitCredential,
  type HostAccess,
  type HostEvent,
  type HostRepository,
  type RepositoryName,
  type SignInHost,
  type WebhookRequest,
} from '../../../vcs/vcs-host.ts';
import { createStandInPeople, type StandInPeople } from './stand-in-people.ts';

export interface StandInRepository extends HostRepository {
  branches: Branch[];
}

/** What tests do to a host that is notes in memory. */
export interface StandInControls {
  /** False: as if the operator had never set it up. */
  isSetUp: boolean;
  /** True: nothing is answered. */
  isDown: boolean;
  /** Called before everything that is asked; what it throws is what the call rejects with. */
  before: (method: string) => void | Promise<void>;
  /** What was asked for, in its order. */
  readonly calls: string[];
  readonly people: StandInPeople;
  readonly repositories: Map<string, StandInRepository>;
  readonly statuses: CommitStatus[];
  /** Who reads a repository may not always write to it. */
  mayWriteStatus: (access: HostAccess) => boolean;
  /** `owner/name`; private unless it is said otherwise. */
  addRepository(fullName: string, about?: Partial<StandInRepository>): StandInRepository;
  /** What `gitCredential` gives for it: for a git host's `requireCredential`. */
  credentialOf(fullName: string): GitCredential;
  /** From now on it is another. */
  changeCredential(fullName: string): void;
  /** A webhook as this host signs it; a header `x-stand-in-id` gives the same body another id. */
  delivery(events: HostEvent[], about?: { id?: string; event?: string }): WebhookRequest;
}

type Reach = (access: HostAccess, repository: StandInRepository, people: StandInPeople) => boolean;

interface StandInRules {
  now: () => number;
  reaches: Reach;
  /** Of who is no person; a person's token is known to be good or not. */
  isInForce?: (access: HostAccess) => boolean;
}

/**
 * What all three have in common. `reaches` decides what is not public; `ask` stands before everything that is asked.
 */
export function createStandInHost<P extends GitProvider>(
  provider: P,
  { now, reaches: isReached, isInForce = () => true }: StandInRules,
) {
  const people = createStandInPeople(now);
  const reaches = (access: HostAccess, repository: StandInRepository) => isReached(access, repository, people);
  const secret = randomUUID();
  const passwords = new Map<string, string>();
  const repositories = new Map<string, StandInRepository>();
  let lastId = 100;
  const base = `https://${provider}.example`;
  const signatureOf = (body: Buffer) => createHmac('sha256', secret).update(body).digest('hex');

  async function ask<T>(method: string, answer: () => T): Promise<T> {
    host.calls.push(method);
    await host.before(method);
    if (host.isDown)
      throw new HostUnavailable(`${provider} does not answer. Try again soon.`, { retryAfterSeconds: 7 });
    return answer();
  }

  function find(access: HostAccess, { owner, name }: RepositoryName): StandInRepository | null {
    const repository = repositories.get(`${owner}/${name}`.toLowerCase());
    // An installation reaches what it was granted, be that public or not; people see what everybody sees.
    const isForAll = repository?.isPrivate === false && access.kind !== 'installation';
    const isFound = repository && (isForAll || reaches(access, repository));
    return isFound ? repository : null;
  }

  const host: StandInControls & Omit<SignInHost, 'provider'> & { provider: P } = {
    provider,
    isSetUp: true,
    isDown: false,
    before: () => {},
    calls: [],
    people,
    repositories,
    statuses: [],
    mayWriteStatus: () => true,
    addRepository(fullName, about = {}) {
      const slash = fullName.lastIndexOf('/');
      const number = ++lastId;
      const repository: StandInRepository = {
        id: provider === 'provider3' ? `{00000000-0000-4000-8000-${String(number).padStart(12, '0')}}` : String(number),
        owner: fullName.slice(0, slash),
        name: fullName.slice(slash + 1),
        fullName,
        isPrivate: true,
        defaultBranch: 'main',
        branches: [{ name: 'main', sha: String(number).padStart(40, '0') }],
        ...about,
      };
      repositories.set(fullName.toLowerCase(), repository);
      return repository;
    },
    credentialOf(fullName) {
      const path = fullName.toLowerCase();
      if (!passwords.has(path)) passwords.set(path, `git-${randomUUID()}`);
      return { username: 'stand-in', password: passwords.get(path)! };
    },
    changeCredential: (fullName) => void passwords.delete(fullName.toLowerCase()),
    delivery(events, { id = randomUUID(), event = 'push' } = {}) {
      const body = Buffer.from(JSON.stringify({ id, event, events } satisfies Delivery));
      const headers = { 'content-type': 'application/json', 'x-stand-in-signature': signatureOf(body) };
      return { headers, query: {}, body };
    },
    mayBeGenuine: ({ headers }) => headers['x-stand-in-signature'] !== undefined,
    readDelivery({ headers, body }) {
      if (headers['x-stand-in-signature'] !== signatureOf(body)) throw new ForgedDelivery('not signed by this host');
      const delivery = JSON.parse(body.toString()) as Delivery;
      return { ...delivery, id: headers['x-stand-in-id'] ?? delivery.id };
    },
    listRepositories: (access) =>
      ask('listRepositories', () => {
        const isGood = access.kind === 'person' ? people.whose(access.accessToken) !== null : isInForce(access);
        if (!isGood) return null;
        return [...repositories.values()]
          .filter((repository) => reaches(access, repository))
          .map(withoutBranches)
          .toSorted((a, b) => (a.fullName < b.fullName ? -1 : 1));
      }),
    findRepository: (access, name) =>
      ask('findRepository', () => {
        const repository = find(access, name);
        return repository && withoutBranches(repository);
      }),
    findRepositoryById: (access, id) =>
      ask('findRepositoryById', () => {
        const repository = [...repositories.values()].find((each) => each.id.toLowerCase() === id.toLowerCase());
        return repository && reaches(access, repository) ? withoutBranches(repository) : null;
      }),
    listBranches: (access, name) =>
      ask('listBranches', () => find(access, name)?.branches.map((b) => ({ ...b })) ?? null),
    gitCredential: (access, name) =>
      ask('gitCredential', () => {
        const repository = find(access, name);
        return repository && access.kind !== 'public' ? host.credentialOf(repository.fullName) : null;
      }),
    writeStatus: (access, status) =>
      ask('writeStatus', () => {
        if (!host.mayWriteStatus(access)) throw new Fault('VA003', `${provider} does not let this write statuses.`);
        host.statuses.push(status);
      }),
    authorizeUrl: ({ state, redirectUrl }) =>
      `${base}/authorize?${new URLSearchParams({ state, redirect_uri: redirectUrl })}`,
    redeemCode: ({ code, redirectUrl }) => ask('redeemCode', () => people.redeem(code, redirectUrl)),
    refreshTokens: (refreshToken) => ask('refreshTokens', () => people.refresh(refreshToken)),
    findPerson: (accessToken) =>
      ask('findPerson', () => {
        const person = people.whose(accessToken);
        return person && { id: person.id, login: person.login };
      }),
  };
  return { host, ask };
}

function withoutBranches({ id, owner, name, fullName, isPrivate, defaultBranch }: StandInRepository): HostRepository {
  return { id, owner, name, fullName, isPrivate, defaultBranch };
}

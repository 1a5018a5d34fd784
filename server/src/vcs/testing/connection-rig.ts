import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { startGitHost, type GitHost, type GitPush } from '../../testing/git-host.ts';
import { pushCommit, pushDeletion } from '../../testing/git-push.ts';
import type { HostRepository, OAuthSettings } from '../vcs-host.ts';
import type { HostRig, RigLogin, RigStatus } from './host-rig.ts';
import { createContract, type Contract, type ContractDocument } from './rig-contract.ts';
import { createDeliveryLog, type OutgoingDelivery } from './rig-deliveries.ts';
import { createRigOAuth, type RigOAuth, type RigOAuthOptions } from './rig-oauth.ts';
import { ownerOf, roleIn } from './rig-people.ts';
import { createTrouble, type RefuseByRate } from './rig-trouble.ts';

export type ConnectionRig = HostRig<OAuthSettings> & {
  /** What was asked or answered otherwise than the vendor's document says; the rig's end throws when there are any. */
  readonly violations: readonly string[];
};

/** What makes a host of this kind the one that it is. */
export interface Dialect {
  provider: 'provider2' | 'provider3';
  /** Below the host's address. */
  apiPath: string;
  oauth: Omit<RigOAuthOptions, 'url'>;
  cloneUser: string;
  document: ContractDocument;
  /** Parameters of every list. */
  paging: readonly string[];
  newRepositoryId(): string;
  refuseByRate: RefuseByRate;
  answer(call: ApiCall): Promise<ApiAnswer> | ApiAnswer;
  /** What a token that is not good is answered. */
  badToken: ApiAnswer;
  deliveriesOf(push: PushAtRig): Promise<OutgoingDelivery[]>;
}

export interface ConnectionRigOptions {
  /** The longest page of a list, as short as a test wants. */
  pageSize?: number;
  /** Who sees every project and no file, on a host that has such people. */
  guests?: readonly RigLogin[];
}

export interface RigRepository {
  id: string;
  fullName: string;
  isPrivate: boolean;
}

export interface RigHook {
  id: string;
  url: string;
  secret: string;
  createdAt: string;
}

export interface WrittenStatus extends RigStatus {
  repositoryId: string;
  sha: string;
}

/** What the host has. */
export interface RigWorld {
  url: string;
  apiUrl: string;
  git: GitHost;
  pageSize: number;
  guests: readonly RigLogin[];
  repositories: RigRepository[];
  /** By the repository's id. */
  hooks: Map<string, RigHook[]>;
  statuses: WrittenStatus[];
  contract: Contract;
  /** Notes what the vendor's document does not allow. */
  violate(words: string[]): void;
}

/** Whatever way the host has of it: who writes the same again sees no other than before. */
export function noteStatus({ statuses }: RigWorld, status: WrittenStatus): void {
  const last = lastStatus(statuses, status);
  if (!last || !isDeepStrictEqual(last, status)) statuses.push(status);
}

export function lastStatus(
  statuses: readonly WrittenStatus[],
  { repositoryId, sha, context }: Pick<WrittenStatus, 'repositoryId' | 'sha' | 'context'>,
): WrittenStatus | undefined {
  return statuses.findLast(
    (each) => each.repositoryId === repositoryId && each.sha === sha && each.context === context,
  );
}

export interface ApiCall {
  world: RigWorld;
  login: RigLogin | null;
  method: string;
  /** Decoded, one by one. */
  path: string[];
  query: URLSearchParams;
  url: URL;
  body: unknown;
}

export interface ApiAnswer {
  status: number;
  /** Left out: none. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface PushAtRig {
  world: RigWorld;
  repository: RigRepository;
  pusher: RigLogin;
  changes: GitPush['changes'];
}

/** A host whose API is ours, over real repositories, held to the vendor's document in both directions. */
export async function startConnectionRig(
  dialect: Dialect,
  { pageSize = 100, guests = [] }: ConnectionRigOptions = {},
): Promise<ConnectionRig> {
  const deliveries = createDeliveryLog();
  const violations: string[] = [];
  const oauthLater = Promise.withResolvers<RigOAuth>();
  const loginOf = async (token: string) => (await oauthLater.promise).loginOf(token);
  const find = (fullName: string) => world.repositories.find((each) => each.fullName === fullName);
  const git = await startGitHost({
    async admit({ name, wants, credential }) {
      const repository = find(name);
      const login = credential?.username === dialect.cloneUser ? await loginOf(credential.password) : null;
      const role = repository ? roleIn(name, login) : null;
      return role !== null || (wants === 'read' && repository?.isPrivate === false);
    },
    async onPush({ name, credential, changes }) {
      const pusher = await loginOf(credential?.password ?? '');
      const repository = find(name);
      if (!pusher || !repository) return;
      for (const each of await dialect.deliveriesOf({ world, repository, pusher, changes }))
        await deliveries.send(each);
    },
  });
  const world: RigWorld = {
    url: git.url,
    apiUrl: git.url + dialect.apiPath,
    git,
    pageSize,
    guests,
    repositories: [],
    hooks: new Map(),
    statuses: [],
    contract: createContract(dialect.document, dialect),
    violate: (words) => void violations.push(...words),
  };
  const oauth = createRigOAuth({ ...dialect.oauth, url: git.url });
  oauthLater.resolve(oauth);
  const trouble = createTrouble(dialect.refuseByRate);
  let apiCalls = 0;
  git.intercept((request, response) => {
    const isApi = request.url?.startsWith(`${dialect.apiPath}/`) ?? false;
    if (isApi) apiCalls += 1;
    if (trouble.hits(request, response, { isApi }) || oauth.handle(request, response)) return true;
    if (isApi) void answerApi({ dialect, world, oauth }, request, response);
    return isApi;
  });
  const asOwner = async (fullName: string) => {
    const { accessToken: password } = await oauth.tokenOf(ownerOf(fullName));
    return { url: `${git.url}/${fullName}.git`, credential: { username: dialect.cloneUser, password } };
  };
  return {
    provider: dialect.provider,
    url: world.url,
    apiUrl: world.apiUrl,
    settings: oauth.settings,
    violations,
    async createRepository(fullName, { isPrivate = false, files } = {}) {
      ownerOf(fullName);
      await git.createRepository(fullName, files);
      const repository = { id: dialect.newRepositoryId(), fullName, isPrivate };
      world.repositories.push(repository);
      return asSeen(repository, files ? 'main' : null);
    },
    push: async (fullName, commit) => pushCommit(await asOwner(fullName), commit),
    deleteBranch: async (fullName, branch) => pushDeletion(await asOwner(fullName), branch),
    async statusesOf(fullName, sha) {
      const id = find(fullName)?.id;
      const written = world.statuses.filter((each) => each.repositoryId === id && each.sha === sha);
      return written.map(({ context, state, description, url }) => ({ context, state, description, url }));
    },
    deliveries: deliveries.list,
    redeliver: (index) => deliveries.redeliver(index),
    signIn: (url, { login }) => oauth.signIn(url, login),
    tokenOf: (login) => oauth.tokenOf(login),
    takeBack: (login) => oauth.takeBack(login),
    trouble: (kind) => trouble.set(kind),
    get apiCalls() {
      return apiCalls;
    },
    async [Symbol.asyncDispose]() {
      await git[Symbol.asyncDispose]();
      if (violations.length > 0) throw new Error(`Against the host's own document:\n${violations.join('\n')}`);
    },
  };
}

async function answerApi(
  { dialect, world, oauth }: { dialect: Dialect; world: RigWorld; oauth: RigOAuth },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET' } = request;
  const url = new URL(request.url ?? '/', world.url);
  const path = url.pathname.slice(dialect.apiPath.length);
  const body = await readJson(request);
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  const login = token === undefined ? null : await oauth.loginOf(token);
  const segments = path.split('/').slice(1).map(decodeURIComponent);
  const call: ApiCall = { world, login, method, path: segments, query: url.searchParams, url, body };
  const answer = token !== undefined && !login ? dialect.badToken : await dialect.answer(call);
  const exchange = { method, path, query: url.searchParams, body, status: answer.status, answer: answer.body };
  world.violate(world.contract.check(exchange));
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(request, 'end');
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
}

function asSeen({ id, fullName, isPrivate }: RigRepository, defaultBranch: string | null): HostRepository {
  const slash = fullName.lastIndexOf('/');
  const [owner, name] = [fullName.slice(0, slash), fullName.slice(slash + 1)];
  return { id, owner, name, fullName, isPrivate, defaultBranch };
}

import type { GitProvider } from '@lilac/contract/states';
import type { Branch } from './git/repository.ts';

/**
 * A repository host's own API, beside git's transport. The first host is reached as an app that people install
 * (`AppHost`); the two others by what a person has allowed (`ConnectionHost`). What is common to all three stands in
 * `VcsHost`, and one conformance suite holds it.
 *
 * Failures are of three kinds. What a person can mend is a `Fault` whose message says how. A host that is down, slow
 * or asks for patience is a `HostUnavailable`, with the seconds after which to ask again. What an access does not
 * reach answers null or is left out: hosts never tell "not there" from "not yours".
 */
export interface VcsHost {
  readonly provider: GitProvider;
  /**
   * All that the access reaches, whatever number of pages, in the order of their full names. Null when the host does
   * not let it ask at all, which is not the same as nothing: the access may no longer be good itself.
   */
  listRepositories(access: HostAccess, options?: CallOptions): Promise<HostRepository[] | null>;
  /** Null when it is not there, or not for this access. */
  findRepository(access: HostAccess, name: RepositoryName, options?: CallOptions): Promise<HostRepository | null>;
  /**
   * By the host's own id, whatever it is called now. Null as above, and also where the access reads it only as
   * everybody may: then nothing says that it is still theirs.
   */
  findRepositoryById(access: HostAccess, id: string, options?: CallOptions): Promise<HostRepository | null>;
  /** In the order of their names; null when the repository is not there, or not for this access. */
  listBranches(access: HostAccess, name: RepositoryName, options?: CallOptions): Promise<Branch[] | null>;
  /** What git is given to read this one repository, good for some minutes at least; null as above. */
  gitCredential(access: HostAccess, name: RepositoryName, options?: CallOptions): Promise<GitCredential | null>;
  /** Shows how a deployment of a commit stands. Writing the same again changes nothing. */
  writeStatus(access: HostAccess, status: CommitStatus, options?: CallOptions): Promise<void>;
  /** False when a webhook is forged as far as can be told without its body, which is then not worth reading. */
  mayBeGenuine(head: WebhookHead): boolean;
  /**
   * What a webhook says, once its signature or token was verified over the body as it came. Throws `ForgedDelivery`.
   */
  readDelivery(request: WebhookRequest): Delivery;
}

/** On whose strength a host is asked. */
export type HostAccess =
  | { kind: 'installation'; installationId: number }
  | { kind: 'person'; accessToken: string }
  /** Nobody's: what everybody may see. */
  | { kind: 'public' };

export interface CallOptions {
  signal?: AbortSignal;
}

export interface RepositoryName {
  /** With the groups in between, on hosts that have them: `group/inner`. */
  owner: string;
  name: string;
}

export interface HostRepository extends RepositoryName {
  /** A number on the first and second host, a uuid in braces on the third. */
  id: string;
  fullName: string;
  isPrivate: boolean;
  /** Null while it is empty. */
  defaultBranch: string | null;
}

export interface GitCredential {
  username: string;
  password: string;
}

export const commitStates = ['pending', 'success', 'failure', 'cancelled'] as const;
export type CommitState = (typeof commitStates)[number];

export interface CommitStatus {
  repository: RepositoryName;
  sha: string;
  state: CommitState;
  /** One per environment of an application: `lilac/shop/production`. */
  context: string;
  description: string;
  /** Where a person who clicks it comes to. */
  url: string;
}

export interface WebhookHead {
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Of the address that it was sent to. */
  query: Readonly<Record<string, string | undefined>>;
}

export interface WebhookRequest extends WebhookHead {
  body: Buffer;
}

export interface Delivery {
  /** The host's own id of it: the same again is the same delivery. */
  id: string;
  /** What the host calls its kind: `push`, `Push Hook`, `repo:push`. */
  event: string;
  /** What of it concerns us; empty for the rest. */
  events: HostEvent[];
}

export type HostEvent = PushEvent | InstallationEvent;

export interface PushEvent {
  kind: 'push';
  repository: { id: string; fullName: string };
  /** The installation that it came by; null on hosts that have none. */
  installationId: number | null;
  branch: string;
  /** Where the branch is now; null when it was deleted. */
  sha: string | null;
  /** Of the commit it is at now, where the host says it. */
  message: string | null;
  /** Who pushed, by the host's name for them. */
  pusher: string | null;
}

export interface InstallationEvent {
  kind: 'installation';
  installationId: number;
  change: 'created' | 'changed' | 'removed' | 'suspended' | 'resumed';
}

/** The signature or token of a webhook is not that of the host. */
export class ForgedDelivery extends Error {}

/** The host is down, slow, or wants to be left in peace for a while. The message is for people. */
export class HostUnavailable extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, { retryAfterSeconds, cause }: { retryAfterSeconds: number; cause?: unknown }) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What a person has allowed the platform to do in their name. */
export interface PersonTokens {
  accessToken: string;
  /** Null where access does not expire. */
  refreshToken: string | null;
  /** Milliseconds since 1970; null where it does not expire. */
  expiresAt: number | null;
}

export interface HostPerson {
  id: string;
  login: string;
}

/** A host where people sign in (OAuth's code grant). */
export interface SignInHost extends VcsHost {
  /** Where a person is sent to. `redirectUrl` must be the same when the code is redeemed. */
  authorizeUrl(request: { state: string; redirectUrl: string }): string;
  /** A code that was used before, or is another's, is a `Fault` VA001. */
  redeemCode(request: { code: string; redirectUrl: string }, options?: CallOptions): Promise<PersonTokens>;
  /** Null when the person has taken it back: they must connect again. */
  refreshTokens(refreshToken: string, options?: CallOptions): Promise<PersonTokens | null>;
  /** Null when the token is no longer good. */
  findPerson(accessToken: string, options?: CallOptions): Promise<HostPerson | null>;
}

/** The first host: an app that accounts install. */
export interface AppHost extends SignInHost {
  readonly provider: 'provider1';
  /** Where a person chooses an account and its repositories. */
  installUrl(state: string): string;
  /** By the app itself; null when it is gone. */
  findInstallation(installationId: number, options?: CallOptions): Promise<HostInstallation | null>;
  /** Every installation of the app, whoever's. */
  listInstallations(options?: CallOptions): Promise<HostInstallation[]>;
  /** Those that a person sees; null when their token is no longer good. */
  installationsOf(accessToken: string, options?: CallOptions): Promise<HostInstallation[] | null>;
  /** Whether the account is the person's own, or an organisation that they administer. */
  administers(accessToken: string, installation: HostInstallation, options?: CallOptions): Promise<boolean>;
  /** Removes the app from the account. That it is gone already is well. */
  uninstall(installationId: number, options?: CallOptions): Promise<void>;
}

export interface HostInstallation {
  id: number;
  account: { id: number; login: string; type: 'user' | 'organisation' };
  repositorySelection: 'all' | 'selected';
  isSuspended: boolean;
  /** Where its settings are at the host. */
  url: string;
}

/** The second and third host: hooks are made in each repository. */
export interface ConnectionHost extends SignInHost {
  readonly provider: 'provider2' | 'provider3';
  /**
   * Has the host send pushes of this repository to `url`, to which the repository's id is added: the secret follows
   * from it, so whoever sends is known before the body is looked at. One hook at most, whoever asks how often. Null
   * when this access may not make one.
   */
  ensureHook(
    access: HostAccess,
    hook: { repository: HostRepository; url: string },
    options?: CallOptions,
  ): Promise<string | null>;
  /** That it is gone already is well. */
  removeHook(access: HostAccess, hook: { repositoryId: string; hookId: string }, options?: CallOptions): Promise<void>;
}

/** What the operator tells of the app on the first host. */
export interface AppSettings {
  appId: number;
  /** As in the address of its page: `github.com/apps/<slug>`. */
  slug: string;
  clientId: string;
  clientSecret: string;
  /** PEM, PKCS#1 or PKCS#8. */
  privateKey: string;
  webhookSecret: string;
}

/** And on the two others. */
export interface OAuthSettings {
  clientId: string;
  clientSecret: string;
}

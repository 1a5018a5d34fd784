import type { GitProvider } from '@lilac/contract/states';
import type { TestFiles } from '../../testing/git-import.ts';
import type { AppSettings, CommitState, HostRepository, OAuthSettings, PersonTokens } from '../vcs-host.ts';

/**
 * The same people at every rig. `alice` owns the team `acme` (an organisation, a group, a workspace), `bob` is a mere
 * member of it who may push, and `carol` has nothing to do with either. Each has an account of their own too, where
 * their own repositories are: `carol/site`.
 */
export const rigTeam = 'acme';
export const rigPeople = { owner: 'alice', member: 'bob', stranger: 'carol' } as const;
export type RigLogin = (typeof rigPeople)[keyof typeof rigPeople];

/** A repository host on loopback that a test may command: git, the API, people who sign in, webhooks, and trouble. */
export interface HostRig<S extends AppSettings | OAuthSettings = AppSettings | OAuthSettings> extends AsyncDisposable {
  readonly provider: GitProvider;
  /** Where people and git go. */
  readonly url: string;
  readonly apiUrl: string;
  /** How the platform is known to it. */
  readonly settings: S;
  /** With files, `main` gets a first commit, of which no webhook tells. Public unless told otherwise. */
  createRepository(fullName: string, options?: { isPrivate?: boolean; files?: TestFiles }): Promise<HostRepository>;
  /**
   * A real `git push` over HTTP by the owner of the repository. A branch that is not there begins at `main`. Answers
   * the sha once the host's webhooks of it have been answered too.
   */
  push(fullName: string, commit: RigCommit): Promise<string>;
  /** By a push as well. */
  deleteBranch(fullName: string, branch: string): Promise<void>;
  /** Oldest first, as they were written. */
  statusesOf(fullName: string, sha: string): Promise<RigStatus[]>;
  /** Everything that was sent, and how it was answered, oldest first. */
  readonly deliveries: readonly RigDelivery[];
  /** Sends the very same again, with the same id, as the host's page lets people do. Answers the status. */
  redeliver(index: number): Promise<number | null>;
  /**
   * Visits an address where people install, connect or sign in, as that person's browser would, and says yes to all.
   * Answers the address that the host sends the browser back to, without visiting it.
   */
  signIn(url: string, person: { login: RigLogin }): Promise<string>;
  /** What that person would have given the platform by signing in. */
  tokenOf(login: RigLogin): Promise<PersonTokens>;
  /** The person takes back all that they gave: none of their tokens is good any longer, nor can be refreshed. */
  takeBack(login: RigLogin): Promise<void>;
  trouble(kind: RigTrouble): void;
  /** How often the API was asked, git and people's pages not counted. */
  readonly apiCalls: number;
}

export interface RigCommit {
  /** `main` when left out. */
  branch?: string;
  files: TestFiles;
  message?: string;
}

export interface RigStatus {
  context: string;
  state: CommitState;
  description: string;
  url: string;
}

export interface RigDelivery {
  /** Where it was sent to. */
  url: string;
  /** As the host calls it: `push`, `Push Hook`, `repo:push`. */
  event: string;
  /** Null when nobody answered. */
  status: number | null;
  body: Buffer;
  /** By their names in lower case. */
  headers: Record<string, string>;
}

/** `down`: connections break, git's too. `slow`: no answer comes. Rate limits are of the API only. */
export type RigTrouble = 'down' | 'slow' | { rateLimited: number } | { refuses: number; by: 'host' | 'proxy' } | null;

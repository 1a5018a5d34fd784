import type { GitProvider } from '@lilac/contract/states';
import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { Repository } from '../../vcs/git/repository.ts';
import type { AppHost, ConnectionHost, HostAccess, HostRepository, VcsHost } from '../../vcs/vcs-host.ts';

/** The hosts as they are set up at this moment: the operator may change that while the platform runs. */
export interface VcsHosts {
  /** Null: not set up. */
  app(): Promise<AppHost | null>;
  connection(provider: 'provider2' | 'provider3'): Promise<ConnectionHost | null>;
  /** Whether set up or not, it can be asked for what everybody may see. */
  any(provider: GitProvider): Promise<VcsHost>;
}

export interface VcsDeps {
  store: Pick<Store, 'db' | 'pool'>;
  config: Pick<
    Config,
    | 'publicUrl'
    | 'appsDomain'
    | 'databases'
    | 'vcsUrls'
    | 'vcsApiUrls'
    | 'vcsAppsFile'
    | 'vcsTrusted'
    | 'featureSwitches'
  >;
  keyring: Keyring;
  clock: Clock;
  log: Log;
  hosts: VcsHosts;
  /** Signs what people carry to a host and back. */
  stateKey: Buffer;
}

/** How an organisation reaches a repository. */
export interface RepositoryAccess {
  access: HostAccess;
  host: VcsHost;
  /** What the host says of it. */
  found: HostRepository;
}

export interface OpenOptions {
  signal?: AbortSignal;
}

/**
 * Of a private repository that it may not read git could only say that it is not there. So where it is private, a host
 * that does not answer is a `HostUnavailable`, and that nothing reaches it is a `Fault` VA003 that says where to
 * install or connect.
 */
export interface Privacy {
  isPrivate?: boolean;
  /** When it was looked at last: its host may say by now that everybody may read it. */
  wasPrivate?: boolean;
}

/** For everything that reads repositories: create, detect-framework, list-repo-directories, environments, builds. */
export interface RepositoryDoor {
  /**
   * The repository with a credential, when something linked to the organisation reaches it; else as it is, for what
   * everybody may read. A host that does not answer is no reason to fail: git will tell.
   */
  open(organisationId: string, repository: Repository, options?: OpenOptions & Privacy): Promise<Repository>;
  /**
   * The same for the host's API: does something by the first that is linked and may. Who reads a repository may not
   * always write to it, so each that reaches it is tried. Null when nothing that is linked to the organisation does.
   */
  act<T extends object>(
    organisationId: string,
    repository: Repository,
    deed: (by: RepositoryAccess) => Promise<T>,
    options?: OpenOptions,
  ): Promise<T | null>;
  /**
   * What the host says of it: to what is linked to the organisation, else to anybody, save of the first host, which
   * lets nobody ask often. Null when it does not say, or not soon; where it `mustAnswer`, that is a `HostUnavailable`.
   */
  identify(
    organisationId: string,
    repository: Repository,
    options?: OpenOptions & { mustAnswer?: boolean },
  ): Promise<HostRepository | null>;
  /**
   * What is there by this name, of every host also as anybody sees it. A host that does not answer is a
   * `HostUnavailable`.
   */
  find(organisationId: string, repository: Repository, options?: OpenOptions): Promise<HostRepository | null>;
  /**
   * By the host's own id of it, whatever it is called now; null when nothing that is linked reaches it, beyond what
   * everybody does.
   */
  locate(
    organisationId: string,
    repository: { provider: GitProvider; id: string },
    options?: OpenOptions,
  ): Promise<LocatedRepository | null>;
}

export interface LocatedRepository extends HostRepository {
  /** It is at an account that is linked itself: of the first host always, of the others when it is a person's own. */
  isAtLinked: boolean;
}

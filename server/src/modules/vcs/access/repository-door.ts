import { Fault } from '../../../lib/fault.ts';
import type { Repository } from '../../../vcs/git/repository.ts';
import type { HostRepository } from '../../../vcs/vcs-host.ts';
import type { OpenOptions, RepositoryAccess, RepositoryDoor, VcsDeps } from '../vcs-deps.ts';
import { askEach, isOfHost, type Reached } from './ask-each.ts';
import { isAtLinked, listLinkedAccesses, type HostQuestion } from './linked-accesses.ts';
import { whatToMend } from './linked-trouble.ts';
import { createMemory } from './memory.ts';
import { orderAccesses } from './order-accesses.ts';

const REMEMBERED_MS = 10 * 60_000;
const REMEMBERED = 10_000;
/** Who creates an application does not wait longer for what its host has to say of the repository. */
const IDENTIFY_MS = 5000;

/**
 * Only which installation or connection let the organisation in is remembered, and only as the one to ask first:
 * whether it is still linked is read from the store every time, and whether it still reaches the repository is for the
 * host to say. No token is kept here.
 */
export function createRepositoryDoor(deps: VcsDeps): RepositoryDoor {
  const lastIds = createMemory<string>({ clock: deps.clock, keepMs: REMEMBERED_MS, count: REMEMBERED });

  async function reach<T>(
    { organisationId, repository, signal }: OpenOptions & { organisationId: string; repository: Repository },
    question: HostQuestion<T>,
  ): Promise<Reached<T> | null> {
    const { provider, owner } = repository;
    const key = `${organisationId} ${repository.url}`;
    const all = await listLinkedAccesses(deps, { organisationId, provider });
    const ordered = orderAccesses(all, { owner, lastId: lastIds.get(key) });
    const reached = await askEach(ordered, (linked) => linked.ask(question, { signal }));
    if (reached) lastIds.set(key, reached.linked.id);
    return reached;
  }

  async function act<T extends object>(
    organisationId: string,
    repository: Repository,
    deed: (by: RepositoryAccess) => Promise<T>,
    options: OpenOptions = {},
  ): Promise<T | null> {
    const reached = await reach({ organisationId, repository, ...options }, async (host, access) => {
      const found = await host.findRepository(access, repository, options);
      return found && deed({ host, access, found });
    });
    return reached && reached.value;
  }

  /** What everybody may see. */
  async function look(repository: Repository, options: OpenOptions): Promise<HostRepository | null> {
    const host = await deps.hosts.any(repository.provider);
    return host.findRepository({ kind: 'public' }, repository, options);
  }

  async function ask(
    organisationId: string,
    repository: Repository,
    options: OpenOptions,
  ): Promise<HostRepository | null> {
    const found = await act(organisationId, repository, async (by) => by.found, options);
    if (found) return found;
    // Of the first host nothing more is needed, and it lets nobody ask often.
    return repository.provider === 'provider1' ? null : look(repository, options);
  }

  async function find(
    organisationId: string,
    repository: Repository,
    options: OpenOptions = {},
  ): Promise<HostRepository | null> {
    try {
      const found = await act(organisationId, repository, async (by) => by.found, options);
      return found ?? (await look(repository, options));
    } catch (error) {
      if (!isOfHost(error)) throw error;
      // What is linked may be in trouble of its own, where everybody else is answered.
      const shown = await look(repository, options).catch(() => null);
      if (!shown) throw error;
      return shown;
    }
  }

  return {
    act,
    async open(organisationId, repository, { signal, isPrivate = false, wasPrivate = false } = {}) {
      try {
        const reached = await reach({ organisationId, repository, signal }, (host, access) =>
          host.gitCredential(access, repository, { signal }),
        );
        if (reached) return { ...repository, credential: reached.value };
        if (isPrivate) throw await notReached(deps, organisationId, repository);
        // Where a host shows even strangers that it is private, git would still give them nothing.
        if (wasPrivate && ((await look(repository, { signal }))?.isPrivate ?? true)) {
          throw await notReached(deps, organisationId, repository);
        }
      } catch (error) {
        if (isPrivate || wasPrivate || !isOfHost(error)) throw error;
        deps.log.info({ repository: repository.url, reason: error.message }, 'a repository is read as anybody would');
      }
      return repository;
    },
    async identify(organisationId, repository, { signal: given, mustAnswer = false } = {}) {
      if (mustAnswer) return ask(organisationId, repository, { signal: given });
      const late = AbortSignal.timeout(IDENTIFY_MS);
      try {
        return await ask(organisationId, repository, { signal: AbortSignal.any([late, ...(given ? [given] : [])]) });
      } catch (error) {
        given?.throwIfAborted();
        if (late.aborted || isOfHost(error)) return null;
        throw error;
      }
    },
    find,
    async locate(organisationId, { provider, id }, options = {}) {
      const accesses = await listLinkedAccesses(deps, { organisationId, provider });
      const reached = await askEach(accesses, (linked) =>
        linked.ask((host, access) => host.findRepositoryById(access, id, options), options),
      );
      if (!reached) return null;
      return { ...reached.value, isAtLinked: provider === 'provider1' || isAtLinked(accesses, reached.value) };
    },
  };
}

async function notReached(deps: VcsDeps, organisationId: string, repository: Repository): Promise<Fault> {
  const { provider, owner, name } = repository;
  const { hosts } = deps;
  const isSetUp = (provider === 'provider1' ? await hosts.app() : await hosts.connection(provider)) !== null;
  const why = `${owner}/${name} is private, and nothing that is linked to this organisation reaches it.`;
  if (!isSetUp) {
    return new Fault('VA003', `${why} First the operator has to set up its host, with "lilac admin vcs setup".`);
  }
  const account = owner.split('/', 1)[0]!;
  const remedy =
    provider === 'provider1'
      ? `Install the app at ${account} with "lilac vcs install", or let its installation there have this repository.`
      : `Let the platform in with "lilac ${provider} connect", as somebody who may read it.`;
  return new Fault('VA003', `${why} ${await whatToMend(deps.store.db, { organisationId, provider, account }, remedy)}`);
}

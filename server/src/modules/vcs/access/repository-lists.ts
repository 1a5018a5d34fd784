import type { GitProvider } from '@lilac/contract/states';
import type { Branch } from '../../../vcs/git/repository.ts';
import type { HostRepository, RepositoryName } from '../../../vcs/vcs-host.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { askEach, isOfHost } from './ask-each.ts';
import { createKeptAnswers, type KeptAnswer } from './kept-answers.ts';
import { listLinkedAccesses, type LinkedAccess } from './linked-accesses.ts';
import { conflict } from '../../../lib/fault.ts';
import { listTroublesOf, troubleOfLinked, type LinkedOf } from './linked-trouble.ts';
import { orderAccesses } from './order-accesses.ts';

export interface ListedRepositories extends KeptAnswer<HostRepository[]> {
  /** The accounts of those that are linked and could not be asked, in the order of their names. */
  missing: string[];
}

/** What an organisation's installations or connections reach, all together. */
export interface RepositoryLists {
  /** Each once, in the order of their full names. A `Fault` CF001 when nothing of what is linked can be used. */
  repositories(organisationId: string, provider: GitProvider, signal?: AbortSignal): Promise<ListedRepositories>;
  /** Null when none of them reaches the repository; the same. */
  branches(
    organisationId: string,
    provider: GitProvider,
    name: RepositoryName,
    signal?: AbortSignal,
  ): Promise<KeptAnswer<Branch[]> | null>;
}

/**
 * Lists are kept for the installation or connection that they were read by, and who may use that is read from the store
 * every time: nobody sees what they have lost. Where the host does not answer, an older list is better than none.
 */
export function createRepositoryLists(deps: VcsDeps): RepositoryLists {
  const repositories = createKeptAnswers<HostRepository[]>(deps.clock, { survivesNull: true });
  const branches = createKeptAnswers<Branch[]>(deps.clock);
  return {
    repositories: (organisationId, provider, signal) =>
      untilAborted(signal, async () => {
        const accesses = await listLinkedAccesses(deps, { organisationId, provider });
        const read = (linked: LinkedAccess) =>
          repositories.get(`${provider} ${linked.id}`, () => linked.listRepositories());
        const { answered: lists, silent } = await whatAnswers(accesses, read);
        if (lists.length === 0) await assertUsable(deps, { organisationId, provider });
        const { troubles } = await listTroublesOf(deps.store.db, { organisationId, provider });
        const all = lists.flatMap(({ value }) => value);
        const byId = new Map(all.map((repository) => [repository.id, repository]));
        const value = [...byId.values()].toSorted((one, other) => compare(one.fullName, other.fullName));
        const missing = new Set([...silent, ...troubles].map(({ accountLogin }) => accountLogin));
        return { value, asOf: oldest(lists), missing: [...missing].toSorted(compare) };
      }),
    branches: (organisationId, provider, name, signal) =>
      untilAborted(signal, async () => {
        const accesses = await listLinkedAccesses(deps, { organisationId, provider });
        const path = `${name.owner}/${name.name}`.toLowerCase();
        const reached = await askEach(orderAccesses(accesses, { owner: name.owner, lastId: undefined }), (linked) =>
          branches.get(`${provider} ${linked.id} ${path}`, () =>
            linked.ask((host, access) => host.listBranches(access, name)),
          ),
        );
        if (!reached) await assertUsable(deps, { organisationId, provider });
        return reached?.value ?? null;
      }),
  };
}

/**
 * One that fails takes nothing from the others, and is told of. When none has a list, how one failed is thrown: it is
 * not the case that there is nothing.
 */
async function whatAnswers<T>(
  accesses: readonly LinkedAccess[],
  read: (linked: LinkedAccess) => Promise<T | null>,
): Promise<{ answered: T[]; silent: LinkedAccess[] }> {
  const settled = await Promise.allSettled(accesses.map(read));
  const failures = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const answered = settled.flatMap((each) => valueOf(each) ?? []);
  const thrown = failures.find((failure) => !isOfHost(failure)) ?? (answered.length === 0 ? failures[0] : undefined);
  if (thrown !== undefined) throw thrown;
  const silent = accesses.filter((_, at) => valueOf(settled[at]!) === null);
  return { answered, silent };
}

const valueOf = <T>(each: PromiseSettledResult<T>): T | null => (each.status === 'fulfilled' ? each.value : null);

/** "There is nothing" would be wrong of what is only out of reach for now. */
async function assertUsable(deps: VcsDeps, linked: LinkedOf): Promise<void> {
  const trouble = await troubleOfLinked(deps, linked);
  if (trouble !== null) throw conflict(trouble);
}

/** All of them together are as old as the oldest. */
function oldest(answers: readonly KeptAnswer<unknown>[]): Date | null {
  const times = answers.flatMap(({ asOf }) => asOf?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** What is being read is for everybody who waits for it: one who leaves does not end it. */
async function untilAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted();
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(signal.reason as Error);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work(), left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

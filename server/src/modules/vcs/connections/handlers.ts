import type { Handlers } from '../../../http/handler.ts';
import { notFound } from '../../../lib/fault.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import type { RepositoryLists } from '../access/repository-lists.ts';
import { tellLimits } from '../access/tell-limits.ts';
import { tellOfLoss } from '../tell-of-loss.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { findLinkedConnection, listLinkedConnections, unlinkConnection } from './connection-link-store.ts';
import { keepOwnConnection, listConnectionsOf } from './connection-store.ts';
import { disconnect } from './disconnect.ts';
import { linkToOrganisation } from './link-to-organisation.ts';
import { presentBranch, presentConnection, presentLinked, presentRepository } from './present.ts';
import { statusOfRepository } from './status-of-repository.ts';

export type ConnectionDeps = VcsDeps & { lists: RepositoryLists };

type Connected = 'provider2' | 'provider3';
type NameOf<P extends Connected> = keyof Handlers extends infer E
  ? E extends `${P}.${infer Name}`
    ? Name
    : never
  : never;
/** Those that lead a person to the host and follow them stand with the attempts. */
type OwnName = Exclude<NameOf<'provider2'>, 'connect' | 'stream'>;
/** Both hosts have the same shapes, but for the ids of repositories. */
type SharedName = Exclude<OwnName, 'repositories'>;

export function connectionHandlers(deps: ConnectionDeps): Pick<Handlers, `${Connected}.${OwnName}`> {
  const { lists } = deps;
  return {
    ...under('provider2', handlersOf(deps, 'provider2')),
    ...under('provider3', handlersOf(deps, 'provider3')),
    'provider2.repositories': async ({ organisation, response }) =>
      tellLimits(response, await lists.repositories(organisation.id, 'provider2', response.signal)).map(
        (repository) => ({
          id: Number(repository.id),
          ...presentRepository(repository),
        }),
      ),
    'provider3.repositories': async ({ organisation, response }) =>
      tellLimits(response, await lists.repositories(organisation.id, 'provider3', response.signal)).map(
        (repository) => ({
          id: repository.id,
          ...presentRepository(repository),
        }),
      ),
  };
}

type SharedHandlers = { [Name in SharedName]: Handlers[`provider2.${Name}`] };

function handlersOf(deps: ConnectionDeps, provider: Connected): SharedHandlers {
  const { db } = deps.store;
  return {
    'connection-status': ({ query: { owner, repo }, organisation, response: { signal } }) =>
      statusOfRepository(deps, { provider, organisationId: organisation.id, name: { owner, name: repo }, signal }),
    branches: async ({ params: { owner, repo }, organisation, response }) => {
      const branches = await deps.lists.branches(organisation.id, provider, { owner, name: repo }, response.signal);
      if (!branches) throw notFound('Repository');
      return tellLimits(response, branches).map(presentBranch);
    },
    'own-connections': async ({ caller: { userId } }) =>
      (await listConnectionsOf(db, { userId, provider })).map(presentConnection),
    connections: async ({ organisation }) =>
      (await listLinkedConnections(db, { organisationId: organisation.id, provider })).map(presentLinked),
    'link-connection': async ({ body: { connectionId }, organisation: { id: organisationId }, caller }) => {
      const linked = await db.transaction().execute(async (tx) => {
        const connection = await keepOwnConnection(tx, { userId: caller.userId, provider, connectionId });
        if (!connection) throw notFound('Connection');
        const isMember = await linkToOrganisation(tx, { organisationId, connection, caller });
        return isMember ? findLinkedConnection(tx, { organisationId, connectionId }) : null;
      });
      // Somebody who was removed from the organisation a moment ago.
      if (!linked) throw notFound('Organisation');
      return presentLinked(linked);
    },
    'unlink-connection': async ({ params: { id: connectionId }, organisation: { id: organisationId }, caller }) => {
      await db.transaction().execute(async (tx) => {
        const unlinked = await unlinkConnection(tx, { organisationId, provider, connectionId });
        if (!unlinked) throw notFound('Connection');
        const subject = unlinked.account_login;
        await recordActivity(tx, { organisationId, subject, action: 'connection_unlinked', caller });
        await tellOfLoss(tx, { organisationId, provider, accountLogin: subject });
      });
      return { message: 'The organisation no longer uses the connection.' };
    },
    disconnect: async ({ body: { connectionId }, caller }) => {
      await disconnect(db, { provider, connectionId, caller });
      return { message: 'The connection is forgotten. At the host, you may also take back what you had allowed.' };
    },
  };
}

function under<P extends Connected>(prefix: P, handlers: SharedHandlers): Pick<Handlers, `${P}.${SharedName}`> {
  const entries = Object.entries(handlers).map(([name, handler]) => [`${prefix}.${name}`, handler]);
  return Object.fromEntries(entries) as Pick<Handlers, `${P}.${SharedName}`>;
}

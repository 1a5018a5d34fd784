import type { Handlers } from '../../../http/handler.ts';
import { notFound } from '../../../lib/fault.ts';
import { createSemaphore } from '../../../lib/semaphore.ts';
import type { AppHost } from '../../../vcs/vcs-host.ts';
import { recordActivity } from '../../activity/record-activity.ts';
import type { RepositoryLists } from '../access/repository-lists.ts';
import { tellLimits } from '../access/tell-limits.ts';
import { notSetUp } from '../attempts/sign-in-host.ts';
import { presentBranch, presentRepository } from '../connections/present.ts';
import { tellOfLoss } from '../tell-of-loss.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { checkAccounts } from './check-accounts.ts';
import { deleteLink, findLinkedInstallation, listLinkedInstallations } from './installation-store.ts';
import { installationStatus } from './installation-status.ts';
import { assertMayLink, linkInstallation } from './link-installation.ts';
import { loseInstallation } from './lose-installation.ts';
import { administeredInstallation, visibleInstallations } from './person-at-host.ts';
import { presentLinkedInstallation, presentVisible } from './present.ts';
import { syncInstallations } from './sync-installations.ts';

/** Some people see hundreds of installations. */
const QUESTIONS_AT_A_TIME = 5;

/** Those that lead a person to the host and follow them stand with the attempts. */
type InstallationEndpoint = Exclude<
  Extract<keyof Handlers, `vcs-app.${string}`>,
  'vcs-app.install' | 'vcs-app.stream' | 'vcs-app.confirm'
>;

export function installationHandlers(deps: VcsDeps & { lists: RepositoryLists }): Pick<Handlers, InstallationEndpoint> {
  const { lists } = deps;
  const { db } = deps.store;
  return {
    'vcs-app.installation-status': ({ query: { owner, repo }, organisation, response: { signal } }) =>
      installationStatus(deps, { organisationId: organisation.id, name: { owner, name: repo }, signal }),
    'vcs-app.repositories': async ({ organisation, response }) =>
      tellLimits(response, await lists.repositories(organisation.id, 'provider1', response.signal)).map(
        (repository) => ({
          id: Number(repository.id),
          ...presentRepository(repository),
        }),
      ),
    'vcs-app.branches': async ({ params: { owner, repo }, organisation, response }) => {
      const branches = await lists.branches(organisation.id, 'provider1', { owner, name: repo }, response.signal);
      if (!branches) throw notFound('Repository');
      return tellLimits(response, branches).map(presentBranch);
    },
    'vcs-app.check-accounts': async ({ body: { accountLogins }, organisation, caller, response: { signal } }) => ({
      accounts: await checkAccounts(deps, { organisationId: organisation.id, logins: accountLogins, caller, signal }),
    }),
    'vcs-app.installations': async ({ caller: { userId }, response: { signal } }) => {
      const host = await deps.hosts.app();
      const visible = host && (await visibleInstallations(deps, { host, userId, signal }));
      if (!visible) return [];
      const turns = createSemaphore(QUESTIONS_AT_A_TIME);
      return Promise.all(
        visible.map(async ({ installation, accessToken }) => {
          const canLink = await turns.run(() => host.administers(accessToken, installation, { signal }));
          return presentVisible(installation, canLink);
        }),
      );
    },
    'vcs-app.organisation-installations': async ({ organisation }) =>
      (await listLinkedInstallations(db, organisation.id)).map(presentLinkedInstallation),
    'vcs-app.link-installation': async ({ body: { installationId }, organisation, caller, response: { signal } }) => {
      const { userId } = caller;
      const host = await appOf(deps);
      const installation = await administeredInstallation(deps, { host, userId, installationId, signal });
      const link = { organisationId: organisation.id, userId };
      const linked = await db.transaction().execute(async (tx) => {
        await assertMayLink(tx, link);
        await linkInstallation(tx, { ...link, installation });
        return findLinkedInstallation(tx, { organisationId: organisation.id, installationId });
      });
      return presentLinkedInstallation(linked!);
    },
    'vcs-app.sync-installations': async ({ organisation: { id: organisationId }, response: { signal } }) => {
      const host = await appOf(deps);
      const removed = await syncInstallations(deps, { host, organisationId, signal });
      const installations = await listLinkedInstallations(db, organisationId);
      return { installations: installations.map(presentLinkedInstallation), removed };
    },
    'vcs-app.unlink-installation': async ({ params: { installId }, organisation: { id: organisationId }, caller }) => {
      const link = { organisationId, installationId: installId };
      await db.transaction().execute(async (tx) => {
        const linked = await findLinkedInstallation(tx, link);
        if (!linked || !(await deleteLink(tx, link))) throw notFound('Installation');
        const subject = linked.account_login;
        await recordActivity(tx, { organisationId, subject, action: 'installation_unlinked', caller });
        await tellOfLoss(tx, { organisationId, provider: 'provider1', accountLogin: subject });
      });
      return { message: 'The organisation no longer uses the installation. At the host it is still there.' };
    },
    'vcs-app.uninstall': async ({ params: { installId }, organisation, caller, response: { signal } }) => {
      const installationId = installId;
      const host = await appOf(deps);
      const linked = await findLinkedInstallation(db, { organisationId: organisation.id, installationId });
      if (!linked) throw notFound('Installation');
      if (await host.findInstallation(installationId, { signal })) {
        await administeredInstallation(deps, { host, userId: caller.userId, installationId, signal });
        await host.uninstall(installationId, { signal });
      }
      const uninstalledBy = { organisationId: organisation.id, caller };
      await db.transaction().execute((tx) => loseInstallation(tx, { installationId, uninstalledBy }));
      return { message: `The app is removed from ${linked.account_login}.` };
    },
  };
}

async function appOf({ hosts }: Pick<VcsDeps, 'hosts'>): Promise<AppHost> {
  const host = await hosts.app();
  if (!host) throw notSetUp();
  return host;
}

import type { ConsolePath } from '@lilac/contract/console-paths';
import { type ComponentType, useEffect } from 'react';
import { matchPath } from '../lib/match-path.ts';
import { ParamsContext, replaceAddress } from '../lib/router.tsx';
import { ApplicationsPage } from '../pages/applications/applications-page.tsx';
import { MissingPage } from '../pages/missing-page.tsx';
import { lazyPage } from '../parts/lazy-page.tsx';
import { PageBoundary } from '../parts/page-boundary.tsx';

type MemberPath = Exclude<ConsolePath, '/setup' | '/invite' | '/repository-hosts' | '/device' | '/connect'>;

const ApplicationPage = lazyPage(
  async () => (await import('../pages/application/application-page.tsx')).ApplicationPage,
);
const EnvironmentPage = lazyPage(
  async () => (await import('../pages/environment/environment-page.tsx')).EnvironmentPage,
);
const DatabasePage = lazyPage(async () => (await import('../pages/database/database-page.tsx')).DatabasePage);

const pages: Record<MemberPath, ComponentType> = {
  '/': ApplicationsPage,
  '/sign-in': GoHome,
  '/new': lazyPage(async () => (await import('../pages/new-application/new-application-page.tsx')).NewApplicationPage),
  '/apps/:applicationId': ApplicationPage,
  '/apps/:applicationId/settings': ApplicationPage,
  '/environments/:environmentId': EnvironmentPage,
  '/environments/:environmentId/logs': EnvironmentPage,
  '/environments/:environmentId/metrics': EnvironmentPage,
  '/environments/:environmentId/variables': EnvironmentPage,
  '/environments/:environmentId/domain': EnvironmentPage,
  '/environments/:environmentId/activity': EnvironmentPage,
  '/environments/:environmentId/settings': EnvironmentPage,
  '/deployments/:deploymentId': lazyPage(
    async () => (await import('../pages/deployment/deployment-page.tsx')).DeploymentPage,
  ),
  '/databases': lazyPage(async () => (await import('../pages/databases/databases-page.tsx')).DatabasesPage),
  '/databases/new': lazyPage(async () => (await import('../pages/databases/new-database-page.tsx')).NewDatabasePage),
  '/databases/:databaseId': DatabasePage,
  '/databases/:databaseId/data': DatabasePage,
  '/databases/:databaseId/query': DatabasePage,
  '/databases/:databaseId/backups': DatabasePage,
  '/databases/:databaseId/settings': DatabasePage,
  '/domains': lazyPage(async () => (await import('../pages/domains/domains-page.tsx')).DomainsPage),
  '/repositories': lazyPage(async () => (await import('../pages/repositories/repositories-page.tsx')).RepositoriesPage),
  '/activity': lazyPage(async () => (await import('../pages/activity/activity-page.tsx')).ActivityPage),
  '/keys': lazyPage(async () => (await import('../pages/keys/keys-page.tsx')).KeysPage),
  '/members': lazyPage(async () => (await import('../pages/members/members-page.tsx')).MembersPage),
  '/organisation': lazyPage(async () => (await import('../pages/organisation/organisation-page.tsx')).OrganisationPage),
  '/organisations/new': lazyPage(async () => (await import('../pages/new-organisation-page.tsx')).NewOrganisationPage),
  '/account': lazyPage(async () => (await import('../pages/account/account-page.tsx')).AccountPage),
};

const nothing: Record<string, string> = {};

export function MemberPage({ path }: { path: string }) {
  const match = matchPath(path);
  const Found = match && Object.hasOwn(pages, match.pattern) ? pages[match.pattern as MemberPath] : MissingPage;
  return (
    <PageBoundary>
      <ParamsContext value={match?.params ?? nothing}>
        <Found />
      </ParamsContext>
    </PageBoundary>
  );
}

/**
 * What must be built anew when the address changes: the tabs of one application, environment or database
 * are one page, which keeps what it has loaded.
 */
export function pageKeyOf(path: string): string {
  const id = Object.values(matchPath(path)?.params ?? nothing)[0];
  return id === undefined ? path : path.split('/').slice(0, 3).join('/');
}

/** Who is signed in has nothing to do at the sign-in's address. */
function GoHome() {
  useEffect(() => replaceAddress('/'), []);
  return null;
}

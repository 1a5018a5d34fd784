import type { ConsolePath } from '@lilac/contract/console-paths';
import { type ComponentType, useEffect } from 'react';
import { navigate } from '../lib/router.tsx';
import { AccountPage } from '../pages/account/account-page.tsx';
import { ApplicationsPage } from '../pages/applications-page.tsx';
import { DomainsPage } from '../pages/domains/domains-page.tsx';
import { KeysPage } from '../pages/keys/keys-page.tsx';
import { MembersPage } from '../pages/members/members-page.tsx';
import { MissingPage } from '../pages/missing-page.tsx';
import { NewOrganisationPage } from '../pages/new-organisation-page.tsx';
import { OrganisationPage } from '../pages/organisation-page.tsx';

type MemberPath = Exclude<ConsolePath, '/setup' | '/invite' | '/repository-hosts' | '/device' | '/connect'>;

const pages: Record<MemberPath, ComponentType> = {
  '/': ApplicationsPage,
  '/sign-in': GoHome,
  '/domains': DomainsPage,
  '/keys': KeysPage,
  '/members': MembersPage,
  '/organisation': OrganisationPage,
  '/organisations/new': NewOrganisationPage,
  '/account': AccountPage,
};

export function MemberPage({ path }: { path: string }) {
  const Found = Object.hasOwn(pages, path) ? pages[path as MemberPath] : MissingPage;
  return <Found />;
}

/** Who is signed in has nothing to do at the sign-in's address. */
function GoHome() {
  useEffect(() => navigate('/'), []);
  return null;
}

import { roleHas } from '@lilac/contract/permissions';
import { navigate } from '../../lib/router.tsx';
import { destinations } from '../destinations.ts';
import type { Member } from '../member-context.ts';
import { showOverlay } from '../overlay.ts';
import { switchOrganisation } from '../switch-organisation.ts';
import { chooseTheme, themes } from '../theme.ts';
import type { PaletteEntry } from './palette-entry.ts';

/** What is there whatever the organisation holds: pages, new things, the other organisations, the theme. */
export function fixedEntries(member: Member): PaletteEntry[] {
  return [...pages(), ...newThings(member), ...otherOrganisations(member), ...settings()];
}

function pages(): PaletteEntry[] {
  return [...destinations, { href: '/account', label: 'Account', icon: 'account' as const }].map(
    ({ href, label, icon }) => ({ id: href, icon, label, kind: 'Page', run: () => navigate(href) }),
  );
}

function newThings({ organisation }: Member): PaletteEntry[] {
  const organisations = entry('/organisations/new', 'New organisation');
  if (!roleHas(organisation.role, 'create:projects')) return [organisations];
  return [entry('/new', 'New application'), entry('/databases/new', 'New database'), organisations];
}

function entry(href: string, label: string): PaletteEntry {
  return { id: href, icon: 'plus', label, kind: 'Create', run: () => navigate(href) };
}

function otherOrganisations({ profile, organisation }: Member): PaletteEntry[] {
  return profile.organisations
    .filter(({ id }) => id !== organisation.id)
    .map(({ id, name }) => ({
      id,
      icon: 'organisation',
      label: name,
      kind: 'Switch organisation',
      run: () => switchOrganisation(id),
    }));
}

function settings(): PaletteEntry[] {
  return [
    ...themes.map((theme): PaletteEntry => ({
      id: `theme ${theme}`,
      icon: 'theme',
      label: `Theme: ${theme}`,
      kind: 'Appearance',
      run: () => chooseTheme(theme),
    })),
    {
      id: 'shortcuts',
      icon: 'keyboard',
      label: 'Keyboard shortcuts',
      kind: 'Help',
      run: () => showOverlay('shortcuts'),
    },
    { id: 'reference', icon: 'out', label: 'API reference', kind: 'Help', run: () => location.assign('/docs') },
  ];
}

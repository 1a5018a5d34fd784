import type { OutputOf } from '../../lib/api-types.ts';
import { isCut, together } from '../../lib/found-items.ts';
import { navigate } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { useMember } from '../member-context.ts';
import { environmentPlaces } from './environment-places.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { type Environment, useEnvironments } from './use-environments.ts';
import { whoseEnvironments } from './whose-environments.ts';

type Application = OutputOf<'applications.list'>['items'][number];

const LIMIT = 100;

interface Found {
  entries: PaletteEntry[];
  /** Answers are on their way that may hold more. */
  isSearching: boolean;
}

/** What the organisation holds. Beyond the first hundred the platform searches, by what is typed. */
export function useFoundEntries(typed: string): Found {
  const targetOrganisationId = useMember().organisation.id;
  const first = { body: { targetOrganisationId, limit: LIMIT, sortColumn: 'updated_at' } };
  const further = { body: { targetOrganisationId, limit: LIMIT, filter: typed.trim().slice(0, 200) } };
  const applications = useCall('applications.list', first);
  const databases = useCall('databases.list', first);
  const furtherApplications = useCall('applications.list', isCut(applications.data, typed) ? further : null);
  const furtherDatabases = useCall('databases.list', isCut(databases.data, typed) ? further : null);
  const allApplications = together(applications.data?.items, furtherApplications.data?.items);
  const lookedThrough = whoseEnvironments(typed, { first: applications.data?.items, all: allApplications });
  const environments = useEnvironments(lookedThrough.map(({ id }) => id));
  const entries = [
    ...allApplications.map(applicationEntry),
    ...lookedThrough.flatMap((application) =>
      environmentEntries(application, { environments: environments.get(application.id) ?? [], typed }),
    ),
    ...together(databases.data?.items, furtherDatabases.data?.items).map(databaseEntry),
  ];
  const isSearching =
    [applications, databases, furtherApplications, furtherDatabases].some(({ isBehind }) => isBehind) ||
    lookedThrough.some(({ id }) => !environments.has(id));
  return { entries, isSearching };
}

function applicationEntry({ id, name }: Application): PaletteEntry {
  return { id, icon: 'applications', label: name, kind: 'Application', run: () => navigate(`/apps/${id}`) };
}

function environmentEntries(
  { name: application }: Application,
  { environments, typed }: { environments: readonly Environment[]; typed: string },
): PaletteEntry[] {
  const places = environments.flatMap((environment) => environmentPlaces(environment, { application, typed }));
  return places.map(({ href, ...named }) => ({
    ...named,
    id: href,
    icon: 'branch',
    kind: 'Environment',
    run: () => navigate(href),
  }));
}

function databaseEntry({ id, name }: { id: string; name: string }): PaletteEntry {
  return { id, icon: 'databases', label: name, kind: 'Database', run: () => navigate(`/databases/${id}`) };
}

import { useEffect, useRef, useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { isCut, together } from '../../lib/found-items.ts';
import { navigate } from '../../lib/router.tsx';
import { useCall } from '../../lib/use-call.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../member-context.ts';
import { environmentPlaces } from './environment-places.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { whoseEnvironments } from './whose-environments.ts';

type Application = OutputOf<'applications.list'>['items'][number];
type Environment = OutputOf<'environments.list'>[number];

const LIMIT = 100;

/** What the organisation holds. Beyond the first hundred the platform searches, by what is typed. */
export function useFoundEntries(typed: string): PaletteEntry[] {
  const targetOrganisationId = useMember().organisation.id;
  const first = { body: { targetOrganisationId, limit: LIMIT, sortColumn: 'updated_at' } };
  const further = { body: { targetOrganisationId, limit: LIMIT, filter: typed.trim().slice(0, 200) } };
  const applications = useCall('applications.list', first).data;
  const databases = useCall('databases.list', first).data;
  const furtherApplications = useCall('applications.list', isCut(applications, typed) ? further : null).data;
  const furtherDatabases = useCall('databases.list', isCut(databases, typed) ? further : null).data;
  const allApplications = together(applications?.items, furtherApplications?.items);
  const lookedThrough = whoseEnvironments(typed, { first: applications?.items, all: allApplications });
  const environments = useEnvironments(lookedThrough);
  return [
    ...allApplications.map(applicationEntry),
    ...lookedThrough.flatMap((application) =>
      environmentEntries(application, { environments: environments.get(application.id), typed }),
    ),
    ...together(databases?.items, furtherDatabases?.items).map(databaseEntry),
  ];
}

/** Each application is asked once for as long as the search is open. One that does not answer is left out. */
function useEnvironments(applications: readonly Application[]): Map<string, Environment[]> {
  const targetOrganisationId = useMember().organisation.id;
  const [known, setKnown] = useState(new Map<string, Environment[]>());
  const asked = useRef(new Set<string>());
  const key = applications.map(({ id }) => id).join(' ');
  useEffect(() => {
    for (const applicationId of key.split(' ').filter((id) => id !== '' && !asked.current.has(id))) {
      asked.current.add(applicationId);
      const learn = (list: Environment[]) => setKnown((before) => new Map(before).set(applicationId, list));
      browserSession.call('environments.list', { body: { targetOrganisationId, applicationId } }).then(learn, () => {});
    }
  }, [key, targetOrganisationId]);
  return known;
}

function applicationEntry({ id, name }: Application): PaletteEntry {
  return { id, icon: 'applications', label: name, kind: 'Application', run: () => navigate(`/apps/${id}`) };
}

function environmentEntries(
  { name: application }: Application,
  { environments = [], typed }: { environments: readonly Environment[] | undefined; typed: string },
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

import { openByKey } from '../lib/open-by-key.ts';
import { navigate } from '../lib/router.tsx';
import { useMember } from './member-context.ts';
import { switchOrganisation } from './switch-organisation.ts';
import { showMarks } from '../lib/visible-name.ts';

const NEW = 'new';

export function OrganisationSwitcher() {
  const { profile, organisation } = useMember();
  const change = (value: string) => {
    if (value === NEW) navigate('/organisations/new');
    else switchOrganisation(value);
  };
  return (
    <select
      className="switcher"
      aria-label="Organisation"
      value={organisation.id}
      onKeyDown={openByKey}
      onChange={(event) => change(event.target.value)}
    >
      {profile.organisations.map(({ id, name }) => (
        <option key={id} value={id}>
          {showMarks(name)}
        </option>
      ))}
      <option value={NEW}>New organisation…</option>
    </select>
  );
}

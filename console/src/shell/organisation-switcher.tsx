import { navigate } from '../lib/router.tsx';
import { useMember } from './member-context.ts';
import { chooseOrganisation } from './organisation-choice.ts';

const NEW = 'new';

export function OrganisationSwitcher() {
  const { profile, organisation } = useMember();
  const change = (value: string) => {
    if (value === NEW) navigate('/organisations/new');
    else chooseOrganisation(value);
  };
  return (
    <select
      className="switcher"
      aria-label="Organisation"
      value={organisation.id}
      onChange={(event) => change(event.target.value)}
    >
      {profile.organisations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value={NEW}>New organisation…</option>
    </select>
  );
}

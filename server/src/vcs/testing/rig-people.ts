import { rigPeople, rigTeam, type RigLogin } from './host-rig.ts';

export type RigRole = 'owner' | 'member';

export const rigLogins: readonly RigLogin[] = Object.values(rigPeople);

/** What a person may do in whatever is below an account: their own, or the team's. */
export function roleIn(fullName: string, login: RigLogin | null): RigRole | null {
  const [account] = fullName.split('/');
  if (login === null) return null;
  if (account === login) return 'owner';
  if (account !== rigTeam) return null;
  return { [rigPeople.owner]: 'owner', [rigPeople.member]: 'member', [rigPeople.stranger]: null }[
    login
  ] as RigRole | null;
}

export function ownerOf(fullName: string): RigLogin {
  const owner = rigLogins.find((login) => roleIn(fullName, login) === 'owner');
  if (!owner) throw new Error(`Nobody at the rig owns ${fullName}.`);
  return owner;
}

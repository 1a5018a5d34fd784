import { leave } from '../lib/leaving.ts';
import { matchPath } from '../lib/match-path.ts';
import { navigate } from '../lib/router.tsx';
import { destinations } from './destinations.ts';
import { isOfPerson } from './is-of-person.ts';
import { chooseOrganisation } from './organisation-choice.ts';

/** From the page of one thing, which the other organisation does not have, to the list of such things. */
export function switchOrganisation(id: string): void {
  const path = location.pathname;
  if (isOfPerson(path)) return chooseOrganisation(id);
  const isOfOneThing = Object.keys(matchPath(path)?.params ?? {}).length > 0;
  leave(() => {
    if (isOfOneThing) navigate(destinations.find(({ covers }) => covers?.test(path))?.href ?? '/');
    chooseOrganisation(id);
  });
}

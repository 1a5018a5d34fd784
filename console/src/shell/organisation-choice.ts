import { useSyncExternalStore } from 'react';
import type { OrganisationChoice } from '../lib/api-types.ts';

const KEY = 'lilac.organisation';
const CHOSEN = 'lilac:organisation-chosen';

/** Remembered by this browser, so that a reload stays where the person was. */
export function chooseOrganisation(id: string): void {
  localStorage.setItem(KEY, id);
  dispatchEvent(new Event(CHOSEN));
}

/** The remembered choice, or the first organisation when it is not (or no longer) one of the person's. */
export function useChosenOrganisation(organisations: readonly OrganisationChoice[]): OrganisationChoice | null {
  const id = useSyncExternalStore(watchChoice, () => localStorage.getItem(KEY));
  return organisations.find((organisation) => organisation.id === id) ?? organisations[0] ?? null;
}

/** Not the `storage` event: two tabs may work in two organisations. */
function watchChoice(listener: () => void): () => void {
  addEventListener(CHOSEN, listener);
  return () => removeEventListener(CHOSEN, listener);
}

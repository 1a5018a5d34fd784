import { useEffect, useSyncExternalStore } from 'react';
import type { OrganisationChoice } from '../lib/api-types.ts';
import { keptByBrowser, keptByTab } from '../lib/kept-texts.ts';

const KEY = 'lilac.organisation';
const CHOSEN = 'lilac:organisation-chosen';

/** Each tab has its own choice, also over a reload; a new one begins with what was chosen last anywhere. */
let chosenId: string | null = null;

export function chooseOrganisation(id: string): void {
  chosenId = id;
  keptByTab.setItem(KEY, id);
  keptByBrowser.setItem(KEY, id);
  dispatchEvent(new Event(CHOSEN));
}

/** The tab's choice, or the first organisation when it is not (or no longer) one of the person's. */
export function useChosenOrganisation(organisations: readonly OrganisationChoice[]): OrganisationChoice | null {
  const id = useSyncExternalStore(watchChoice, chosenOrganisationId);
  const chosen = organisations.find((organisation) => organisation.id === id) ?? organisations[0] ?? null;
  useEffect(() => {
    if (chosen) keptByTab.setItem(KEY, chosen.id);
  }, [chosen]);
  return chosen;
}

/** What the tab's choice says, which may be out of date. */
export function chosenOrganisationId(): string | null {
  chosenId ??= keptByTab.getItem(KEY) ?? keptByBrowser.getItem(KEY);
  return chosenId;
}

function watchChoice(listener: () => void): () => void {
  addEventListener(CHOSEN, listener);
  return () => removeEventListener(CHOSEN, listener);
}

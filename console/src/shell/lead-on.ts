import { isLostByLeaving, unsavedByNow } from '../lib/leaving.ts';
import { noteOutcome } from '../lib/outcomes.ts';
import { navigate } from '../lib/router.tsx';
import { chosenOrganisationId } from './organisation-choice.ts';

interface Start {
  /** What is unsaved on the page goes with it: it is what is sent, or is of what is deleted. */
  endsPage?: boolean;
}

interface WayOn {
  /** What is to be seen there is what was done; otherwise it only is where people go on. */
  shows: boolean;
  /** What is said to who has gone elsewhere. */
  said: string;
}

export type LeadOn = (to: string, way: WayOn) => boolean;

/**
 * To be called when something is started. What it answers leads on once that is done, and only whoever is still where
 * they started it and loses nothing by it: others are told in a notice. Answers whether it has led on.
 */
export function whileHere({ endsPage = false }: Start = {}): LeadOn {
  const start = placeNow();
  const before = openDialogs();
  const ended = endsPage ? unsavedByNow() : null;
  return (to, { said, shows }) => {
    const losesNothing = ended ? ended.isAll() : !isLostByLeaving();
    const isElsewhere = placeNow() !== start || openDialogs().some((dialog) => !before.includes(dialog));
    if (isElsewhere || !losesNothing) {
      noteOutcome({ kind: 'done', said, href: shows ? to : null });
      return false;
    }
    ended?.forget();
    navigate(to);
    return true;
  };
}

/** The parts of an address behind the path are of the same page. */
function placeNow(): string {
  return `${location.pathname} ${chosenOrganisationId()}`;
}

/** Whoever is in one that was opened since is about something else. */
function openDialogs(): Element[] {
  return [...document.querySelectorAll('dialog[open]')];
}

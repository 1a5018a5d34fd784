/** Something that is lost by whoever goes elsewhere. */
interface Guard {
  /** What that is by now, for people: while it is sent it is another thing than before. */
  what: () => string;
  /** Asks first: `go` leads where they wanted to, and `lost` is all that is lost by it, of others too. */
  ask: (go: () => void, lost: readonly string[]) => void;
  /** Whether it is part of what lies over the page there, and is lost when that closes. */
  isWithin: (dialog: Element) => boolean;
}

/** The latest of them asks, for all. */
let guards: readonly Guard[] = [];
/**
 * What outlasts every page, as long as the console is open: work that goes on, or what was typed and is found again.
 */
type Lasting = 'under way' | 'typed';
const lasting = new Map<symbol, Lasting>();
/** Those who wait for something else first: nothing can be asked beneath it. */
let held = 0;
/** The document goes, whatever is unsaved in it. */
let isLetGo = false;
/** The address that is shown: on the way back the browser has changed it before it tells. */
let shown = '';

/**
 * Who has something unsaved says so, and takes it back. Until then the browser asks whoever closes or reloads the page.
 */
export function guardLeaving(guard: Guard): () => void {
  setGuards([...guards, guard]);
  shown = location.href;
  return () => setGuards(guards.filter((each) => each !== guard));
}

/** For what no other page takes away: the browser asks whoever closes or reloads the console. */
export function guardClosing(what: Lasting): () => void {
  const kept = Symbol(what);
  lasting.set(kept, what);
  watchClosing();
  return () => {
    lasting.delete(kept);
    watchClosing();
  };
}

/** What signing out ends: work before what was only typed. */
export function endedBySigningOut(): Lasting | null {
  const kinds = [...lasting.values()];
  return kinds.find((each) => each === 'under way') ?? kinds[0] ?? null;
}

export function hasUnsaved(): boolean {
  return isLostByLeaving() || [...lasting.values()].includes('typed');
}

/** Whether whoever goes elsewhere loses something of the page that is shown. */
export function isLostByLeaving(): boolean {
  return guards.length > 0;
}

/** Nobody is asked, and nobody goes anywhere by the browser's buttons, until this is taken back. */
export function holdQuestions(): () => void {
  held++;
  return () => void held--;
}

export function leave(go: () => void): void {
  askBeforeLosing(() => {
    setGuards([]);
    go();
  });
}

/** For a way out that may fail: what is unsaved stays guarded until that has worked. */
export function askBeforeLosing(go: () => void): void {
  const asking = guards.at(-1);
  if (!asking) return go();
  return asking.ask(go, namesOf(guards));
}

/**
 * For what lies over a page and leads nowhere: of what is in it, and of nothing else, it is asked first. Answers
 * whether it is.
 */
export function askBeforeClosing(dialog: HTMLDialogElement): boolean {
  const lost = guards.filter((guard) => guard.isWithin(dialog));
  lost.at(-1)?.ask(() => dialog.close(), namesOf(lost));
  return lost.length > 0;
}

/** What is unsaved at this moment, for who sends it or deletes what it is of. */
export function unsavedByNow(): { isAll: () => boolean; forget: () => void } {
  const those = guards;
  return {
    /** Nothing has become unsaved since. */
    isAll: () => guards.every((each) => those.includes(each)),
    forget: () => setGuards(guards.filter((each) => !those.includes(each))),
  };
}

/** For good: the browser asks nobody any more who closes or reloads the page, whatever is unsaved by then. */
export function letGo(): void {
  isLetGo = true;
  watchClosing();
}

/** For the browser's own buttons: what is shown stays until it was asked. To be called before anybody else listens. */
export function guardHistory(): void {
  addEventListener('popstate', (event) => {
    if (guards.length === 0 || withoutFragment(location.href) === withoutFragment(shown)) return;
    event.stopImmediatePropagation();
    history.pushState(null, '', shown);
    if (held === 0) leave(() => history.back());
  });
}

/** Another place on the same page is no other page. */
function withoutFragment(href: string): string {
  return href.split('#', 1)[0]!;
}

/** Several may say the same of themselves. */
function namesOf(those: readonly Guard[]): string[] {
  return [...new Set(those.map(({ what }) => what()))];
}

function setGuards(next: readonly Guard[]): void {
  guards = next;
  watchClosing();
}

function watchClosing(): void {
  if (!isLetGo && (guards.length > 0 || lasting.size > 0)) addEventListener('beforeunload', stay);
  else removeEventListener('beforeunload', stay);
}

const stay = (event: BeforeUnloadEvent) => event.preventDefault();

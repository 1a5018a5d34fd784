/** Something that is lost by whoever goes elsewhere. */
interface Guard {
  /** What that is, for people. */
  what: string;
  /** Asks first: `go` leads where they wanted to, and `lost` is all that is lost by it, of others too. */
  ask: (go: () => void, lost: readonly string[]) => void;
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
/** The address that is shown: on the way back the browser has changed it before it tells. */
let shown = '';

/** Who has something unsaved says so, and takes it back. Until then the browser asks whoever closes or reloads the page. */
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
    forgetUnsaved();
    go();
  });
}

/** For a way out that may fail: what is unsaved stays guarded until that has worked, and `forgetUnsaved` is called. */
export function askBeforeLosing(go: () => void): void {
  const asking = guards.at(-1);
  if (!asking) return go();
  return asking.ask(
    go,
    guards.map(({ what }) => what),
  );
}

/** For what closes over a page without leading anywhere: only what it guards itself, as the latest, is lost by it. */
export function askOfLatest(close: () => void): void {
  const asking = guards.at(-1);
  if (!asking) return close();
  return asking.ask(close, [asking.what]);
}

/** Nobody is asked about it any more: for who has deleted what it was of, has sent it or has signed out. */
export function forgetUnsaved(): void {
  setGuards([]);
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

function setGuards(next: readonly Guard[]): void {
  guards = next;
  watchClosing();
}

function watchClosing(): void {
  if (guards.length > 0 || lasting.size > 0) addEventListener('beforeunload', stay);
  else removeEventListener('beforeunload', stay);
}

const stay = (event: BeforeUnloadEvent) => event.preventDefault();

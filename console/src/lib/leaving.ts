/** Asks before somebody goes on from what is not saved; `go` is where they wanted to. */
type Ask = (go: () => void) => void;

let ask: Ask | null = null;
/** The address that is shown: on the way back the browser has changed it before it tells. */
let shown = '';

/** Who has something unsaved says so, and takes it back. */
export function guardLeaving(next: Ask): () => void {
  ask = next;
  shown = location.href;
  return () => {
    if (ask === next) ask = null;
  };
}

export function leave(go: () => void): void {
  if (ask) ask(go);
  else go();
}

/** For the browser's own buttons: what is shown stays until it was asked. To be called before anybody else listens. */
export function guardHistory(): void {
  addEventListener('popstate', (event) => {
    if (!ask || location.href === shown) return;
    event.stopImmediatePropagation();
    history.pushState(null, '', shown);
    ask(() => history.back());
  });
}

const missing = new Set<HTMLLinkElement>();

// A link does not say afterwards whether its sheet came.
addEventListener('error', ({ target }) => isSheet(target) && missing.add(target), { capture: true });

/** Sheets that did not come: the import of a page asks for them the first time only, and goes on without them then. */
export async function fetchStylesAgain(): Promise<void> {
  const links = [...missing];
  missing.clear();
  await Promise.all(links.map(fetchAgain));
}

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = link.cloneNode() as HTMLLinkElement;
    next.addEventListener('load', () => resolve());
    next.addEventListener('error', () => reject(new TypeError(`${next.href} did not come`)));
    link.replaceWith(next);
  });
}

function isSheet(target: EventTarget | null): target is HTMLLinkElement {
  return target instanceof HTMLLinkElement && target.rel === 'stylesheet';
}

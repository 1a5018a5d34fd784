import type { Page } from 'playwright-core';

/** What has the focus, by its name; who has no mouse begins anew at the top where nothing has it. */
export async function focused(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const { activeElement: active, body } = document;
    return !active || active === body ? 'nothing' : (active.getAttribute('aria-label') ?? active.textContent ?? '');
  });
}

interface FocusTrail {
  focusTrail: (string | null)[];
}

/** Runs in the page: keeps what the focus went to, by its words, which a screen reader says by itself. */
export function followFocus(): void {
  const trail: FocusTrail['focusTrail'] = ((globalThis as unknown as FocusTrail).focusTrail = []);
  addEventListener('focusin', ({ target }) => trail.push((target as HTMLElement).textContent));
}

/** Where the focus was last but one and last, and where it is now. */
export async function focusOf(page: Page): Promise<(string | null)[]> {
  return await page.evaluate(() => {
    const { activeElement, body } = document;
    const before = (globalThis as unknown as FocusTrail).focusTrail.slice(-3, -1);
    return [...before, activeElement === body ? 'nowhere' : activeElement!.textContent];
  });
}

import { keptByTab } from './kept-texts.ts';
import { entryOf, type Standing, shouldReload } from './reload-rules.ts';

/** The builds of the console that this window was loaded anew for. */
const LEFT = 'lilac.left-builds';
const PATIENCE_MS = 5000;

/** Loads the window anew where that can bring what did not come; each build of the console once, whatever it brings. */
export async function reloadOnce(failures: number): Promise<void> {
  const running = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  const left = (keptByTab.getItem(LEFT) ?? '').split(' ');
  const standing = await lookAtPlatform(running);
  if (!shouldReload({ standing, failures, hasReloaded: left.includes(running) })) return;
  // A window that does not remember it would be loaded anew for ever.
  if (!keptByTab.setItem(LEFT, [...left, running].join(' ').trim())) return;
  location.reload();
  await new Promise<never>(() => {});
}

/** Whether the platform answers, and with which build of the console. */
async function lookAtPlatform(running: string): Promise<Standing> {
  try {
    const response = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
    const served = entryOf(await response.text());
    if (!response.ok || served === null) return 'silent';
    return served === running ? 'same' : 'replaced';
  } catch {
    return 'silent';
  }
}

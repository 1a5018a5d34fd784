import { isComposing } from './is-composing.ts';

/** Shuts a dialog, unless what is in it is to be asked about first. */
export function requestClose(dialog: HTMLDialogElement | null): void {
  if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
}

/**
 * Not left to browsers: of somebody who only presses Escape they let a page ask once. The next time they shut the
 * dialog unasked, or the question together with what it is about.
 */
export function answerEscape(): void {
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
    // What lies over another dialog stands within it, or behind it in the page.
    const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
    if (!dialog) return;
    event.preventDefault();
    requestClose(dialog);
  });
}

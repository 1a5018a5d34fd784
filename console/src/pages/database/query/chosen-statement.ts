interface Selection {
  selectionStart: number;
  selectionEnd: number;
}

/** What of a text is to be run: what is selected of it, and all of it where that is nothing to run. */
export function chosenStatement(text: string, { selectionStart, selectionEnd }: Selection): string {
  const selected = text.slice(selectionStart, selectionEnd);
  return selected.trim() === '' ? text : selected;
}

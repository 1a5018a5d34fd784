import { useEffect } from 'react';

/** While a place for files is shown, one that is dropped beside it is not opened instead of the page. */
export function useNoStrayDrops(): void {
  useEffect(() => refuseStrayDrops(window), []);
}

export function refuseStrayDrops(around: EventTarget): () => void {
  around.addEventListener('dragover', refuse);
  around.addEventListener('drop', refuse);
  return () => {
    around.removeEventListener('dragover', refuse);
    around.removeEventListener('drop', refuse);
  };
}

/** What the place itself has taken is its own; text goes where it is dropped. */
function refuse(event: Event): void {
  const { dataTransfer } = event as DragEvent;
  if (event.defaultPrevented || !dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  dataTransfer.dropEffect = 'none';
}

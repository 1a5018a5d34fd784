import { useEffect } from 'react';

/** A file that is dropped beside a place for it, or where there is none, is not opened instead of the console. */
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

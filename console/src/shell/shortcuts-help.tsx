import { useLayoutEffect, useRef } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { modifierKey } from './modifier-key.ts';
import { showOverlay } from './overlay.ts';
import './shortcuts-help.css';

export function ShortcutsHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: between the one that stood in and this, no key falls on the page.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <Dialog dialog={dialog} title="Keyboard shortcuts" onClose={() => showOverlay(null)}>
      <dl className="shortcuts">
        {shortcuts().map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </div>
    </Dialog>
  );
}

function shortcuts(): readonly { keys: readonly string[]; does: string }[] {
  return [
    { keys: [modifierKey(), 'K'], does: 'Search and jump to anything' },
    { keys: ['↑', '↓'], does: 'Choose in a list of results' },
    { keys: ['Enter'], does: 'Open what is chosen, send a form' },
    { keys: ['Esc'], does: 'Close what lies over the page' },
    { keys: ['Tab'], does: 'From field to field; at first, past the navigation' },
    { keys: ['?'], does: 'Show this list' },
  ];
}

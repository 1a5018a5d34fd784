import { Icon } from '../parts/icon.tsx';
import { modifierKey } from './modifier-key.ts';
import { showOverlay } from './overlay.ts';

export function SearchButton() {
  return (
    <button
      type="button"
      className="side-search"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => showOverlay('palette')}
    >
      <Icon name="search" />
      <span>Search</span>
      <kbd aria-hidden="true">{modifierKey()} K</kbd>
    </button>
  );
}

import { isComposing } from '../../lib/is-composing.ts';

/** Those whose name has every word that was typed; what begins with it comes first. */
export function matching<T>(items: readonly T[], typed: string, nameOf: (item: T) => string): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const lowerNameOf = (item: T) => nameOf(item).toLowerCase();
  const found = items.filter((item) => words.every((word) => lowerNameOf(item).includes(word)));
  if (first === '') return found;
  const rankOf = (item: T) => {
    const name = lowerNameOf(item);
    if (name === first) return 0;
    return name.startsWith(first) || name.includes(`/${first}`) ? 1 : 2;
  };
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

type Key = Pick<KeyboardEvent, 'key' | 'isComposing' | 'keyCode'>;

/** What is active is picked, or the keyboard comes to another entry. Null: the key means something else. */
export function readKey(key: Key, active: number, count: number): 'pick' | number | null {
  if (isComposing(key)) return null;
  return key.key === 'Enter' ? 'pick' : nextActive(key.key, active, count);
}

/** From the last one on to the first. */
function nextActive(key: string, active: number, count: number): number | null {
  if (count === 0) return null;
  const moves: Record<string, number> = {
    ArrowDown: (active + 1) % count,
    ArrowUp: (active - 1 + count) % count,
    PageDown: Math.min(active + 8, count - 1),
    PageUp: Math.max(active - 8, 0),
  };
  return moves[key] ?? null;
}

/** Where one begins: at what is chosen, or at the first. */
export function indexOfChosen(names: readonly string[], chosen: string | undefined): number {
  return chosen === undefined ? 0 : Math.max(0, names.indexOf(chosen));
}

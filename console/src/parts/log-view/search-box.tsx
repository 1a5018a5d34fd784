import { type KeyboardEvent, useEffect, useRef } from 'react';
import { isComposing } from '../../lib/is-composing.ts';
import { Button } from '../button.tsx';
import { countOf, sayLength } from './count-of.ts';
import { readLineHash, withinLog } from './marks.ts';
import { linesAskedFor, nextMatch } from './search.ts';
import { goToHash } from './use-marks.ts';

export interface SearchBoxProps {
  query: string;
  /** The numbers of the lines that hold it. */
  matches: readonly number[];
  /** The one that was gone to. */
  current: number | null;
  isNumbered: boolean;
  /** How many lines there are; null while others may come. */
  lineCount: number | null;
  /** The address points at lines that there are not. */
  isBeyond: boolean;
  /** Where looking begins. */
  firstInSight: () => number;
  goToMatch: (number: number | null) => void;
  onQuery: (query: string) => void;
}

/** Enter goes to the next, with shift to the one before; `:120` to a line. */
export function SearchBox({ query, matches, current, isNumbered, lineCount, isBeyond, ...rest }: SearchBoxProps) {
  const { firstInSight, goToMatch, onQuery } = rest;
  const input = useRef<HTMLInputElement>(null);
  useSearchKeys(input);
  const hash = isNumbered ? linesAskedFor(query) : null;
  const asked = hash && readLineHash(hash);
  const isThere = asked ? withinLog(asked, lineCount) !== null : hash === null;
  const go = (direction: 1 | -1) => {
    if (hash) return isThere && goToHash(hash);
    return goToMatch(nextMatch(matches, current ?? firstInSight() - direction, direction));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && query !== '') onQuery('');
    else return;
    event.preventDefault();
  };
  const isSearching = query !== '' && !query.startsWith(':');
  return (
    <div className="log-search grows" role="search">
      <input
        ref={input}
        type="search"
        aria-label="Search this log"
        placeholder={isNumbered ? 'Search, or :120 for a line' : 'Search'}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="meta log-count" role="status">
        {isSearching && countOf(matches, current)}
        {lineCount !== null && (!isThere || (isBeyond && query === '')) && sayLength(lineCount)}
      </span>
      {isSearching && matches.length > 0 && (
        <>
          <Button onClick={() => go(-1)} aria-label="Previous match">
            ↑
          </Button>
          <Button onClick={() => go(1)} aria-label="Next match">
            ↓
          </Button>
        </>
      )}
    </div>
  );
}

/**
 * The browser's own search sees only the lines in sight, so its keys lead here; pressed again they are the browser's.
 */
function useSearchKeys(input: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const isFind = event.key === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping();
      if ((!isFind && !isSlash) || document.activeElement === input.current || document.querySelector('dialog[open]'))
        return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [input]);
}

function isTyping(): boolean {
  return document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false;
}

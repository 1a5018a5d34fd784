import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { LogBuffer } from './buffer.ts';
import { LogSearch, nextMatch } from './search.ts';

interface SearchOptions {
  log: LogBuffer;
  /** Shows a line. */
  goTo: (number: number) => void;
  firstInSight: () => number;
}

/** What is looked for, in which lines it is, and which of them is shown. */
export function useLogSearch({ log, goTo, firstInSight }: SearchOptions) {
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState<number | null>(null);
  const [from, setFrom] = useState(0);
  const [answered, setAnswered] = useState('');
  // After a colon it is the number of a line.
  const sought = useDeferredValue(query.startsWith(':') ? '' : query);
  const search = useMemo(() => new LogSearch(sought), [sought]);
  const matches = search.update(log);
  // While it is typed: the first from where somebody looks, and that one for as long as it holds what is typed.
  if (sought !== answered) {
    setAnswered(sought);
    setCurrent(nextMatch(matches, from - 1, 1));
  }
  const show = useEffectEvent(goTo);
  useEffect(() => {
    if (current !== null) show(current);
  }, [current]);
  return {
    query,
    sought,
    matches,
    current,
    onQuery: (text: string) => {
      setFrom(current ?? firstInSight());
      setQuery(text);
    },
    goToMatch: (number: number | null) => {
      setCurrent(number);
      // Whoever asks for the same again has scrolled away.
      if (number !== null) goTo(number);
    },
  };
}

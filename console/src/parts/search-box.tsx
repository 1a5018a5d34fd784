import { useEffect, useRef } from 'react';

const PAUSE_MS = 250;

/** Asks when the typing pauses. What the address says wins where it changes by other means. */
export function SearchBox({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const asked = useRef(value);
  useEffect(() => {
    if (value !== asked.current) input.current!.value = value;
    asked.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (text: string) => {
    asked.current = text;
    onSearch(text);
  };
  const type = (text: string) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => ask(text), PAUSE_MS);
  };
  return (
    <input
      ref={input}
      type="search"
      className="grows"
      aria-label="Search by name"
      placeholder="Search by name"
      maxLength={200}
      defaultValue={value}
      onChange={(event) => type(event.target.value)}
    />
  );
}

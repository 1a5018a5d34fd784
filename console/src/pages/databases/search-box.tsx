import { useEffect, useRef } from 'react';

const PAUSE_MS = 250;

interface SearchBoxProps {
  value: string;
  onSearch: (text: string) => void;
}

/** Asks when the typing pauses. */
export function SearchBox({ value, onSearch }: SearchBoxProps) {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (text: string) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onSearch(text), PAUSE_MS);
  };
  return (
    <input
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

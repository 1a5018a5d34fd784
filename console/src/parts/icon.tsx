/** Drawn on a grid of 24, in strokes of the text's own colour. */
const paths = {
  applications: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  databases: 'M4 6c0-4 16-4 16 0s-16 4-16 0v12c0 4 16 4 16 0V6M4 12c0 4 16 4 16 0',
  domains: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c-6 6-6 12 0 18 6-6 6-12 0-18',
  repositories: 'M6 4v11M6 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM18 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM18 9c0 5-6 5-9.5 7.5',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  keys: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM11 12l9-9M16 7l3 3',
  members: 'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM2 21c0-9 14-9 14 0M17 5a4 4 0 0 1 0 7M18 15c3 1 4 3 4 6',
  organisation: 'M4 21V4h9v17M13 9h7v12M2 21h20M7 8h3M7 12h3M7 16h3M16 13h1M16 17h1',
  account: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 21c0-9 16-9 16 0',
  signOut: 'M10 4H4v16h6M15 8l4 4-4 4M19 12H9',
  theme: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 3v18',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.5 15.5 21 21',
  out: 'M13 4h7v7M20 4l-9 9M18 14v6H4V6h6',
  plus: 'M12 5v14M5 12h14',
  terminal: 'M3 5h18v14H3zM7 9l3 3-3 3M13 15h4',
  keyboard: 'M2 7h20v11H2zM6 11h.1M10 11h.1M14 11h.1M18 11h.1M8 15h8',
  folder: 'M3 6h6l2 3h10v10H3z',
  branch: 'M6 3v12M6 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM18 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM18 9a9 9 0 0 1-9 9',
} as const;

export type IconName = keyof typeof paths;

/** Never alone: the words beside it say what it means. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

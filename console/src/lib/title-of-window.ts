import { showMarks } from './visible-name.ts';

interface Place {
  href: string;
  label: string;
}

interface ShownPage {
  title: string;
  /** The way back up, the farthest first; that one is of every such page. */
  crumbs?: readonly Place[];
  /** Of these the first is the page itself. */
  tabs?: readonly Place[];
  path: string;
}

/** The nearest first: of many tabs in a browser only the beginning is read. */
export function titleOfWindow({ title, crumbs = [], tabs = [], path }: ShownPage): string {
  const tab = tabs.slice(1).filter(({ href }) => href === path);
  const above = crumbs.slice(1).toReversed();
  const labels = [...tab.map(({ label }) => label), title, ...above.map(({ label }) => label), 'Lilac'];
  return labels.map(showMarks).join(' · ');
}

import { Fragment } from 'react';
import { Link } from '../lib/router.tsx';

const pages: Record<string, string> = { Repositories: '/repositories', Organisation: '/organisation' };
const named = new RegExp(`(?<=\\bunder )(${Object.keys(pages).join('|')})\\b`);

/** What the platform has to say, in the console's words: the pages that it names can be gone to. */
export function LinkedWords({ text }: { text: string }) {
  return text.split(named).map((words, index) => {
    const href = index % 2 === 1 ? pages[words] : undefined;
    return <Fragment key={index}>{href === undefined ? words : <Link href={href}>{words}</Link>}</Fragment>;
  });
}

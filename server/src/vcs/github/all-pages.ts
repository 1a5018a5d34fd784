import { strangeAnswer } from '../connection/read-answer.ts';
import { HOST_NAME, type AskGithub, type Question } from './github-api.ts';

const PER_PAGE = 100;
/** An account may have thousands of repositories: one page after the other would take too long for a person. */
const AT_ONCE = 4;
/** Nobody has so many; a host that never ends is broken. */
const MOST_PAGES = 1000;

/** Everything of a list, in the order in which the host gives it. */
export async function allPages<P, T>(
  ask: AskGithub,
  question: Question<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> {
  const page = async (number: number) => {
    const parameters = { ...question.parameters, per_page: PER_PAGE, page: number };
    const { data, link } = await ask({ ...question, parameters });
    return { items: itemsOf(data), link };
  };
  const first = await page(1);
  const items = [...first.items];
  let { link } = first;
  for (let next = 2; hasNext(link);) {
    question.signal?.throwIfAborted();
    if (next > MOST_PAGES) throw strangeAnswer(HOST_NAME);
    const until = Math.min(lastPage(link) ?? next, next + AT_ONCE - 1);
    const numbers = Array.from({ length: Math.max(1, until - next + 1) }, (_, index) => next + index);
    const pages = await Promise.all(numbers.map((number) => page(number)));
    for (const each of pages) items.push(...each.items);
    link = pages.at(-1)?.link ?? '';
    next += numbers.length;
  }
  return items;
}

const hasNext = (link: string) => link.includes('rel="next"');

function lastPage(link: string): number | null {
  const last = link.split(',').find((part) => part.includes('rel="last"'));
  const found = last && /[?&]page=(\d+)/.exec(last);
  return found ? Number(found[1]) : null;
}

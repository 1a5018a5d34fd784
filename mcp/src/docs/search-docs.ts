import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import { clip } from '../shorten.ts';
import { docPages } from './doc-pages.ts';

export interface DocResult {
  title: string;
  /** The resource with the whole page. */
  uri: string;
  excerpt: string;
}

interface Section extends DocResult {
  titleWords: ReadonlySet<string>;
  /** How often each word occurs. */
  words: ReadonlyMap<string, number>;
  length: number;
  weight: number;
  /** Of an endpoint. */
  name: string | undefined;
}

const EXCERPT = 700;
/** Pages explain; an endpoint is short, and would come first with a single word in it. */
const ENDPOINT_WEIGHT = 0.5;
/** More than any words come to. */
const NAMED = 1e6;

let index: { sections: readonly Section[]; frequency: ReadonlyMap<string, number>; meanLength: number } | undefined;

/** The sections that have most of the words, the rare ones counting most (BM25). */
export function searchDocs(query: string, limit: number): { results: DocResult[]; matches: number } {
  const { sections, frequency, meanLength } = (index ??= buildIndex());
  const wanted = [...new Set(wordsOf(query))];
  const found = sections
    .map((section) => ({ section, score: scoreOf(section) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const results = found.slice(0, limit).map(({ section: { title, uri, excerpt } }) => ({ title, uri, excerpt }));
  return { results, matches: found.length };

  function scoreOf({ words, titleWords, length, weight, name }: Section): number {
    // Tables name every endpoint; whoever asks for one by its whole name wants that one.
    if (name && query.includes(name)) return NAMED + name.length;
    let score = 0;
    for (const word of wanted) {
      const count = words.get(word) ?? 0;
      const rarity = Math.log(1 + sections.length / (1 + (frequency.get(word) ?? 0)));
      score += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / meanLength));
      if (titleWords.has(word)) score += rarity;
    }
    return score * weight;
  }
}

function buildIndex() {
  const sections = [...pageSections(), ...endpointSections()];
  const frequency = new Map<string, number>();
  for (const { words } of sections) {
    for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const meanLength = sections.reduce((sum, { length }) => sum + length, 0) / Math.max(1, sections.length);
  return { sections, frequency, meanLength };
}

/** A section of a page begins with its heading. */
function pageSections(): Section[] {
  return docPages().flatMap(({ name, title, text }) =>
    text.split(/^(?=#{1,3} )/m).flatMap((part) => {
      const heading = /^#{1,3} (.+)$/m.exec(part)?.[1] ?? title;
      const body = part.replace(/^#{1,3} .+\n/, '').trim();
      if (body === '') return [];
      const full = heading === title ? title : `${title}: ${heading}`;
      return [sectionOf({ title: full, uri: `lilac://docs/${name}`, text: body })];
    }),
  );
}

function endpointSections(): Section[] {
  return endpointNames.map((name) => {
    const { method, path, summary, description, cli } = declarationOf(name);
    const command = cli ? `\nCommand line: lilac ${cli.join(' ')}` : '';
    const text = `${method} ${path}\n${summary}. ${description ?? ''}${command}`;
    return sectionOf({
      title: `API endpoint ${name}`,
      uri: 'lilac://openapi.json',
      text,
      weight: ENDPOINT_WEIGHT,
      name,
    });
  });
}

interface SectionText {
  title: string;
  uri: string;
  text: string;
  weight?: number;
  name?: string;
}

function sectionOf({ title, uri, text, weight = 1, name }: SectionText): Section {
  const all = wordsOf(`${title} ${text}`);
  const words = new Map<string, number>();
  for (const word of all) words.set(word, (words.get(word) ?? 0) + 1);
  return {
    title,
    uri,
    excerpt: clip(text, EXCERPT),
    titleWords: new Set(wordsOf(title)),
    words,
    length: all.length,
    weight,
    name,
  };
}

/** `domains` finds `domain`; that is all the grammar it knows. */
function wordsOf(text: string): string[] {
  return [...text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)].map(([word]) =>
    word.length > 3 ? word.replace(/(?:ies|es|s)$/, (end) => (end === 'ies' ? 'y' : '')) : word,
  );
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BuildFailed } from '../builder.ts';
import { checkDockerfile } from './check-dockerfile.ts';
import { KEYWORDS } from './parse-dockerfile.ts';

const ID = `sha256:${'a'.repeat(64)}`;
const labels = { 'lilac.built-by': 'a1', 'lilac.built-for': 'env_1' };

/** What an engine makes of a line before it does anything: quotes and backslashes vanish from options. */
function readAsEngine(line: string): { keyword: string; flags: string[]; rest: string } {
  const [, keyword = '', after = ''] = /^[\t\v\f\r ]*(\S+)[\t\v\f\r ]*([^]*)$/.exec(line) ?? [];
  const flags: string[] = [];
  let rest = after;
  while (rest.startsWith('--')) {
    const { word, length } = takeWord(rest);
    rest = rest.slice(length).replace(/^[\s\u0085]+/, '');
    if (word === '--') break;
    flags.push(word);
  }
  return { keyword: keyword.toUpperCase(), flags, rest };
}

function takeWord(text: string): { word: string; length: number } {
  let [word, quote, at] = ['', '', 0];
  for (; at < text.length; at++) {
    const letter = text[at]!;
    if (quote === '' && /[\s\u0085]/.test(letter)) break;
    if (letter === quote) quote = '';
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter;
    else if (letter === '\\' && at + 1 < text.length) word += text[++at];
    else word += letter;
  }
  return { word, length: at };
}

function labelNames(rest: string): string[] {
  const words: string[] = [];
  for (let left = rest; left !== '';) {
    const { word, length } = takeWord(left);
    words.push(word);
    left = left.slice(length).trimStart();
  }
  return words[0]?.includes('=') ? words.map((word) => word.split('=')[0]!) : words.slice(0, 1);
}

/** What has led engines astray, and what stands around it. */
const PIECES = [
  ...'--from= --fr\\om= --"from"= --chown= --mount=type=bind -- - other own 0 1 7 = \\ " \' ` $X ${X:- } << <<- EOF 3 [" "]'.split(
    ' ',
  ),
  ...'http://10.0.0.1/ # AS lilac.image=x lilac. a b ä /x . * ! --link --platform=linux/amd64 scratch node:22'.split(
    ' ',
  ),
  ...' |  |\t|\u00A0|\u2003|\u0085|\v|\r|\n|\\\n|["a", "b"]|# escape=`| as own'.split('|'),
  ID,
];
const pieces = fc.constantFrom(...PIECES);
const given = fc.array(fc.oneof({ weight: 5, arbitrary: pieces }, fc.string({ maxLength: 3 })), { maxLength: 8 });
const instruction = fc
  .tuple(
    fc.constantFrom(...KEYWORDS, 'copy', 'Copy', 'COPY', 'LABEL', 'FROM'),
    fc.constantFrom(' ', ' ', '\t', ''),
    given,
  )
  .map(([keyword, space, words]) => keyword + space + words.join(''));
const dockerfile = fc
  .tuple(
    fc.constantFrom('FROM scratch AS own', '# syntax=evil/frontend\nFROM node:22 AS own'),
    fc.array(instruction, { maxLength: 5 }),
  )
  .map(([first, rest]) => [first, ...rest].join('\n'));

/** Null where it was refused. */
function tryWriting(text: string): string[] | null {
  try {
    return checkDockerfile(text, { X: 'http://10.0.0.1/' })
      .write(() => ID, labels)
      .map((step) => step.text);
  } catch (error) {
    if (error instanceof BuildFailed) return null;
    throw error;
  }
}

const ALLOWED = KEYWORDS.filter((keyword) => keyword !== 'ADD' && keyword !== 'ONBUILD');
const HARMLESS_FLAG = /^--(chown|interval|timeout|start-period|retries)(=|$)/;

/** What is wrong with a line, by what comes before it; nothing, where all is well. */
function faultsOf(line: string, stages: number): string[] {
  const { keyword, flags, rest } = readAsEngine(line);
  const isBefore = (number: string) => Number(number) < stages - 1;
  const [, from, number] = /^(\S+) AS stage-(\d+)$/.exec(rest) ?? [];
  const own = /^stage-(\d+)$/.exec(from ?? '')?.[1];
  const isFlagged = (flag: string) => {
    const stage = /^--from=(?:(\d+)|sha256:a{64})$/.exec(flag);
    return stage ? keyword !== 'COPY' || (stage[1] !== undefined && !isBefore(stage[1])) : !HARMLESS_FLAG.test(flag);
  };
  const isOurs = line === `LABEL lilac.built-by=a1 lilac.built-for=env_1`;
  const faults = {
    'is no line': /[\n\r\v\f\u0085\u2028\0]|\\\s*$|^\s*#/.test(line),
    'is not allowed': !ALLOWED.some((known) => known === keyword),
    'is another stage': keyword === 'FROM' && Number(number) !== stages - 1,
    'is built on something else':
      keyword === 'FROM' && (own === undefined ? from !== 'scratch' && from !== ID : !isBefore(own)),
    'has a flag': flags.some(isFlagged),
    'is no list': keyword === 'COPY' && !rest.startsWith('["'),
    'begins a text': ['COPY', 'RUN'].includes(keyword) && rest.split(/\s+/).some((word) => /^\d*<<-?[^<]/.test(word)),
    'sets a label of ours':
      keyword === 'LABEL' && !isOurs && labelNames(rest).some((name) => /^lilac\.|\$/i.test(name)),
  };
  return Object.entries(faults).flatMap(([fault, isThere]) => (isThere ? `${line} ${fault}` : []));
}

describe('whatever a Dockerfile says, the engine is given', () => {
  it('nothing but instructions that it does inside the build, of stages before and of images that were fetched', () => {
    let letThrough = 0;
    fc.assert(
      fc.property(dockerfile, (text) => {
        const lines = tryWriting(text) ?? [];
        if (lines.length > 0) letThrough += 1;
        let stages = 0;
        const faults = lines.flatMap((line) => faultsOf(line, line.startsWith('FROM') ? ++stages : stages));
        expect(faults).toEqual([]);
      }),
      { numRuns: 2000 },
    );
    expect(letThrough).toBeGreaterThan(100);
  });

  it('and the test would see it: lines that engines misread have faults', () => {
    const lines = [
      String.raw`COPY --fr\om=other a b`,
      'COPY --"from"=other ["a","b"]',
      'COPY --from=1 ["a","b"]',
      'FROM node:22 AS stage-1',
      'FROM stage-1 AS stage-1',
      'ADD ["http://10.0.0.1/","/"]',
      'RUN <<EOF',
      'RUN --mount=type=bind true',
      'LABEL lil"ac."image=x',
    ];
    expect(lines.filter((line) => faultsOf(line, 2).length === 0)).toEqual([]);
  });
});

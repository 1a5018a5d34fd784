import type { Breathe } from '../lib/breather.ts';

/** What a resolver has to know of a tree. Paths have no slash at either end; `''` is the root. */
export interface LinkedTree {
  /** Where the link at a path leads; undefined where there is none. */
  targetOf: (path: string) => string | undefined;
  /** Left out: whatever is no link may be gone through, also what is not there. */
  isFolder?: (path: string) => boolean;
}

export interface ResolverOptions {
  /** `tree`: what leaves the root leads nowhere. `system`: the root is that of the machine, which nothing leaves. */
  root?: 'tree' | 'system';
  /** Thrown where following all the links would take more work than any honest tree does. */
  tangled: () => Error;
  maxWork?: number;
}

export interface LinkResolver {
  /** The path behind a path, once every link in it is followed; null where it leads out, nowhere or in a circle. */
  resolve: (path: string) => string | null;
  /** The same for a path whose folder is known not to be behind a link. */
  follow: (path: string) => string | null;
  /** The same with pauses: a link may be the first of many. One at a time; afterwards its way is known. */
  followSlowly: (path: string, breathe: Breathe) => Promise<string | null>;
}

/** As many as Linux follows on the way to one file. */
const MAX_LINKS = 40;
/** Of a path, in characters: as Linux has it. */
const MAX_PATH = 4096;
/** In characters of paths looked up: ten thousand links of ten parts need a third of it. */
const MAX_WORK = 32 * 1024 ** 2;
const WORK_A_STEP = 16;

/**
 * Follows links as the kernel does, but each only once: what was found behind a link is kept. So the work
 * grows with the length of all targets together, whatever leads where, and that has a limit.
 */
export function createLinkResolver(tree: LinkedTree, options: ResolverOptions): LinkResolver {
  const known: Known = new Map();
  const { maxWork = MAX_WORK, tangled } = options;
  let left = maxWork;
  const spend = (work: number): void => {
    left -= work;
    if (left < 0) throw tangled();
  };
  const context: Context = { tree, known, spend, isSystem: options.root === 'system' };
  return {
    resolve: (path) => finish(run(context, { link: null, found: '', ahead: partsOf(path), at: 0, followed: 0 })),
    follow: (path) => finish(run(context, lastStepOf(path))),
    async followSlowly(path, breathe) {
      const steps = run(context, lastStepOf(path));
      let step = steps.next();
      for (; !step.done; step = steps.next()) await breathe();
      return step.value;
    },
  };
}

function finish(steps: Generator<void, string | null>): string | null {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function lastStepOf(path: string): Way {
  const found = parentOf(path);
  return { link: null, found, ahead: [path.slice(found === '' ? 0 : found.length + 1)], at: 0, followed: 0 };
}

interface End {
  path: string;
  /** How many links lie on the way. */
  followed: number;
}

/** By link; null for those that lead nowhere. */
type Known = Map<string, End | null>;

interface Context {
  tree: LinkedTree;
  known: Known;
  spend: (work: number) => void;
  isSystem: boolean;
}

/** A path on its way; below it in the stack are those that wait for it. */
interface Way {
  /** Whose target it is; null for what was asked. */
  link: string | null;
  found: string;
  ahead: readonly string[];
  at: number;
  followed: number;
}

/** Pauses after every link. */
function* run(context: Context, asked: Way): Generator<void, string | null> {
  const ways = [asked];
  for (;;) {
    const way = ways.at(-1)!;
    const end = walk(context, way);
    if (typeof end === 'string') {
      // Until it is known where it leads: whoever meets it on that way goes in a circle.
      context.known.set(end, null);
      ways.push(wayOf(context, end));
      yield;
      continue;
    }
    ways.pop();
    if (way.link === null) return end?.path ?? null;
    context.known.set(way.link, end);
  }
}

function wayOf({ tree, isSystem }: Context, link: string): Way {
  const target = tree.targetOf(link)!;
  const isAbsolute = target.startsWith('/');
  // Out of a tree, as a step up from its root is.
  const ahead = isAbsolute && !isSystem ? ['..'] : partsOf(target);
  return { link, found: isAbsolute ? '' : parentOf(link), ahead, at: 0, followed: 0 };
}

/** Goes on to the end, or to a link that has to be followed first, which it returns. */
function walk({ tree, known, spend, isSystem }: Context, way: Way): End | null | string {
  for (; way.at < way.ahead.length; way.at += 1) {
    const part = way.ahead[way.at]!;
    if (part === '..') {
      if (way.found === '' && !isSystem) return null;
      way.found = parentOf(way.found);
      continue;
    }
    const next = way.found === '' ? part : `${way.found}/${part}`;
    if (next.length > MAX_PATH) return null;
    if (way.link !== null) spend(WORK_A_STEP + next.length);
    if (tree.targetOf(next) === undefined) way.found = next;
    else {
      const end = known.get(next);
      if (end === undefined) return next;
      if (end === null || (way.followed += end.followed + 1) > MAX_LINKS) return null;
      way.found = end.path;
    }
    const isLast = way.at === way.ahead.length - 1;
    if (!isLast && tree.isFolder?.(way.found) === false) return null;
  }
  return { path: way.found, followed: way.followed };
}

const partsOf = (path: string) => path.split('/').filter((part) => part !== '' && part !== '.');
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

import { Effort } from './effort.ts';
import type { Page } from './page.ts';
import { goesInCircles } from './redirect-circles.ts';
import type { MatchedRedirect } from './redirect-rules.ts';
import { encodePath, type RequestPath } from './request-path.ts';
import type { Site } from './site.ts';

/** What a path leads to. */
export type Found =
  | { kind: 'page'; page: Page; isOwnFile: boolean }
  | { kind: 'redirect'; status: 301 | 302 | 303 | 307 | 308; location: string }
  | { kind: 'nothing' };

type Lookup = { file: string } | { moveTo: string } | null;

/** By the site's files and rules: rules apply where no file answers, or where they are forced. */
export function findPage(site: Site, at: RequestPath): Found {
  const own = lookUp(site, at.path);
  const effort = new Effort(at.raw);
  const rule = ruleAt(site, { at, own }, effort);
  if (rule && !leadsRound(site, { at, rule }, effort)) return applyRule(site, at, rule);
  if (own && 'file' in own) return { kind: 'page', page: site.page(own.file, 200, at.path), isOwnFile: true };
  if (own) return { kind: 'redirect', status: 308, location: encodePath(own.moveTo) + at.query };
  if (site.isSinglePage && site.has('/index.html') && !looksLikeAsset(at.path)) {
    return { kind: 'page', page: site.page('/index.html', 200, at.path), isOwnFile: false };
  }
  return missing(site, at);
}

function ruleAt(site: Site, { at, own }: { at: RequestPath; own: Lookup }, effort: Effort): MatchedRedirect | null {
  const rule = site.redirects?.at(at, effort) ?? null;
  return rule && (rule.isForced || !own) ? rule : null;
}

/** A redirect that no browser would ever see the end of does not apply; nor does one where it takes long to say. */
function leadsRound(site: Site, { at, rule }: { at: RequestPath; rule: MatchedRedirect }, effort: Effort): boolean {
  if (!('location' in rule)) return false;
  const isCircle = goesInCircles(at, rule.behind, (next) => {
    const further = ruleAt(site, { at: next, own: lookUp(site, next.path) }, effort);
    return further && 'location' in further ? further.behind : null;
  });
  return isCircle || effort.isSpent;
}

/** `/about` is `/about.html`, or leads to the folder `/about/` with its `index.html`. */
function lookUp(site: Site, path: string): Lookup {
  if (path.endsWith('/')) {
    if (site.has(`${path}index.html`)) return { file: `${path}index.html` };
    const plain = path.slice(0, -1);
    return plain !== '' && (site.has(plain) || site.has(`${plain}.html`)) ? { moveTo: plain } : null;
  }
  if (site.has(path)) return { file: path };
  if (site.has(`${path}.html`)) return { file: `${path}.html` };
  return site.has(`${path}/index.html`) ? { moveTo: `${path}/` } : null;
}

function applyRule(site: Site, at: RequestPath, rule: MatchedRedirect): Found {
  if ('location' in rule) return { kind: 'redirect', status: rule.status, location: rule.location };
  const file = fileBehind(site, rule.path);
  return file ? { kind: 'page', page: site.page(file, rule.status, at.path), isOwnFile: false } : missing(site, at);
}

/** Where a rule leads, no further rule applies: there are no circles. */
function fileBehind(site: Site, path: string): string | null {
  const found = lookUp(site, path);
  const last = found && 'moveTo' in found ? lookUp(site, found.moveTo) : found;
  return last && 'file' in last ? last.file : null;
}

function missing(site: Site, at: RequestPath): Found {
  if (!site.has('/404.html')) return { kind: 'nothing' };
  return { kind: 'page', page: site.page('/404.html', 404, at.path), isOwnFile: false };
}

/**
 * A script or an image that is not there must not be answered with a page: browsers would choke on it,
 * and caches keep it. Other dots are names: `/users/jane.doe`.
 */
const ASSET =
  /\.(?:avif|bmp|cjs|css|csv|eot|gif|gz|ico|jpe?g|js|json|jsx|map|md|mjs|mp[34]|og[gv]|otf|pdf|php|png|rss|svg|ts|tsx|ttf|txt|wasm|wav|webm|webmanifest|webp|woff2?|xml|ya?ml|zip)$/i;

function looksLikeAsset(path: string): boolean {
  return ASSET.test(path);
}

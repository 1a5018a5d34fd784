import { readByteRange } from './byte-range.ts';
import { namesTagStrongly, namesTagWeakly } from './entity-tags.ts';
import { findPage } from './find-page.ts';
import { acceptedCodings } from './negotiate-coding.ts';
import type { Page, Representation } from './page.ts';
import { readRequestPath } from './request-path.ts';
import type { Site } from './site.ts';
import { answer, errorAnswer, type StaticAnswer, type StaticRequest } from './static-answer.ts';

/** What a static release answers to a request. Everything is a lookup in its manifest: no path leads out of it. */
export function planStaticAnswer(site: Site, request: StaticRequest): StaticAnswer {
  if (request.method !== 'GET' && request.method !== 'HEAD') return answerMethod(request);
  const mark = request.target.indexOf('?');
  const written = mark < 0 ? request.target : request.target.slice(0, mark);
  const known = site.known(written);
  return known ? answerPage(known, request) : answerPath(site, request, written);
}

function answerPath(site: Site, request: StaticRequest, written: string): StaticAnswer {
  const path = readRequestPath(request.target);
  if (!path) return errorAnswer(badPath, request.accept);
  const found = findPage(site, path);
  if (found.kind === 'nothing') return errorAnswer(nothingHere, request.accept);
  if (found.kind === 'redirect') return answerRedirect(found.status, found.location);
  if (found.isOwnFile) site.remember(written, found.page);
  return answerPage(found.page, request);
}

/** In the order of RFC 9110, 13.2.2. */
function answerPage(page: Page, request: StaticRequest): StaticAnswer {
  const form = chooseForm(page, request.acceptEncoding);
  if (page.status !== 200) return form.whole;
  if (request.ifMatch !== '' && !namesTagStrongly(request.ifMatch, form.etag)) return preconditionFailed;
  if (request.ifNoneMatch !== '') {
    const kept = keptForm(page, form, request.ifNoneMatch);
    if (kept) return kept.notModified;
  }
  return request.range === '' || request.method !== 'GET' ? form.whole : answerRange(form, request);
}

function chooseForm(page: Page, acceptEncoding: string): Representation {
  if (acceptEncoding === '' || (page.br === null && page.gzip === null)) return page.identity;
  for (const coding of acceptedCodings(acceptEncoding)) {
    const form = page[coding];
    if (form) return form;
  }
  return page.identity;
}

/** A client that kept the plain form may go on using it after a compressed one has come. */
function keptForm(page: Page, form: Representation, ifNoneMatch: string): Representation | null {
  return [form, page.identity].find(({ etag }) => namesTagWeakly(ifNoneMatch, etag)) ?? null;
}

function answerRange(form: Representation, { range, ifRange }: StaticRequest): StaticAnswer {
  // A date is none of our validators, so what it stands for is gone.
  if (ifRange !== '' && ifRange !== form.etag) return form.whole;
  const wanted = readByteRange(range, form.size);
  if (wanted === null) return form.whole;
  if (wanted === 'unsatisfiable') {
    return answer(416, [
      ['Content-Range', `bytes */${form.size}`],
      ['Content-Length', '0'],
    ]);
  }
  const { start, end } = wanted;
  return answer(
    206,
    [
      ...form.headers,
      ['Content-Range', `bytes ${start}-${end - 1}/${form.size}`],
      ['Content-Length', String(end - start)],
    ],
    { hash: form.hash, size: form.size, start, end },
  );
}

function answerRedirect(status: number, location: string): StaticAnswer {
  return answer(status, [
    ['Location', location],
    ['Cache-Control', 'public, max-age=0, must-revalidate'],
    ['Content-Length', '0'],
  ]);
}

const ALLOW = ['Allow', 'GET, HEAD, OPTIONS'] as const;

function answerMethod({ method, accept }: StaticRequest): StaticAnswer {
  if (method === 'OPTIONS') return answer(204, [ALLOW]);
  return errorAnswer({ ...wrongMethod, headers: [ALLOW] }, accept);
}

const preconditionFailed = answer(412, [['Content-Length', '0']]);
const nothingHere = { code: 'NF001', title: 'Nothing is here', message: 'There is no page at this address.' } as const;
const badPath = { code: 'VA001', title: 'This is not an address', message: 'This path is not well formed.' } as const;
const wrongMethod = {
  code: 'MT001',
  title: 'This cannot be done here',
  message: 'This site only answers GET and HEAD.',
} as const;

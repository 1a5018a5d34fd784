import { createHash } from 'node:crypto';
import { escapeHtml, renderPage } from '../edge/pages/page-shell.ts';

export interface ReturnPage {
  title: string;
  /** Plain text, a paragraph each. */
  paragraphs: readonly string[];
  /** Where to go on. */
  link?: { href: string; text: string };
}

const STYLE = `p + p { margin-top: .75rem; }
p:last-child { margin-top: 1.25rem; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--line); outline-offset: 2px; }
`;

/** What a browser shows that came back from a repository host: no script, nothing foreign, nowhere to send anything. */
export function renderReturnPage({ title, paragraphs, link }: ReturnPage): {
  html: string;
  contentSecurityPolicy: string;
} {
  const content = [
    `<h1>${escapeHtml(title)}</h1>`,
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`] : []),
  ].join('\n');
  const html = renderPage({ title, content, style: STYLE });
  return { html, contentSecurityPolicy: policyFor(html) };
}

/** The page's own style and nothing else. */
function policyFor(html: string): string {
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

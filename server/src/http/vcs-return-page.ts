import { createHash } from 'node:crypto';
import { escapeHtml, renderPage } from '../edge/pages/page-shell.ts';

export interface ReturnPage {
  title: string;
  /** Plain text, a paragraph each. */
  paragraphs: readonly string[];
  /** Where to go on. */
  link?: { href: string; text: string };
}

/** The name with its flower, as in the console. */
const MARK = `<div class="mark">
<svg viewBox="0 0 32 32" aria-hidden="true">
<g fill="#9b72cf">
<circle cx="16" cy="8" r="6" />
<circle cx="24" cy="16" r="6" />
<circle cx="16" cy="24" r="6" />
<circle cx="8" cy="16" r="6" />
</g>
<circle cx="16" cy="16" r="4" fill="#f4d87c" />
</svg>
<span>Lilac</span>
</div>`;

/** A card below the mark: people come from the console's pages, or go on to them. */
const STYLE = `:root { --ground: #faf8fc; --surface: #fff; --ink: #231d2c; --quiet: #655b73; --edge: #e3dcec; --line: #6f46b0; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16131c; --surface: #1f1b27; --ink: #ece7f3; --quiet: #a99fb8; --edge: #352e41; --line: #c3a5f2; }
}
main { width: min(26rem, 100% - 2rem); max-width: none; margin: 2rem 1rem; padding: 0; border: 0; }
.mark { display: flex; align-items: center; justify-content: center; gap: .5rem; margin-bottom: 1.25rem;
  font-size: 1.125rem; font-weight: 650; letter-spacing: -.01em; }
.mark svg { width: 1.5rem; height: 1.5rem; }
.card { padding: 1.5rem; background: var(--surface); border: 1px solid var(--edge); border-radius: 10px;
  overflow-wrap: anywhere; }
p + p { margin-top: .75rem; }
p:last-child { margin-top: 1.25rem; }
a { color: var(--line); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--line); outline-offset: 2px; }
`;

/** What a browser shows that came back from a repository host: no script, nothing foreign, nowhere to send anything. */
export function renderReturnPage({ title, paragraphs, link }: ReturnPage): {
  html: string;
  contentSecurityPolicy: string;
} {
  const content = [
    MARK,
    '<div class="card">',
    `<h1>${escapeHtml(title)}</h1>`,
    ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>`] : []),
    '</div>',
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

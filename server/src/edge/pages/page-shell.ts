export interface PageShell {
  title: string;
  /** HTML, escaped already. */
  content: string;
  /** What only this page needs. */
  style?: string;
}

/** What every page of the edge looks like. It stands alone: nothing is loaded. */
export function renderPage({ title, content, style = '' }: PageShell): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; --ink: #2b2438; --quiet: #6d6580; --ground: #fbfaff; --line: #8b6fd6; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece8f7; --quiet: #a79fbd; --ground: #17131f; --line: #a58cf0; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 1.5rem; padding-left: 1.5rem; border-left: 3px solid var(--line); }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0; }
small { display: block; margin-top: 1rem; color: var(--quiet); }
${style}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

import { escapeHtml, renderPage } from './page-shell.ts';

export interface ErrorPage {
  status: number;
  title: string;
  message: string;
}

/** One page for every error that the edge has to tell a person. */
export function renderErrorPage({ status, title, message }: ErrorPage): string {
  const content = `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(message)}</p>\n<small>${status}</small>`;
  return renderPage({ title, content });
}

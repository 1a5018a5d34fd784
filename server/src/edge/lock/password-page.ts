import { escapeHtml, renderPage } from '../pages/page-shell.ts';
import { UNLOCK_PATH } from './next-path.ts';

export interface PasswordPage {
  /** What went wrong with the last attempt; null at first. */
  problem: string | null;
  /** Where to go then: a path on this host. */
  next: string;
}

const STYLE = `:root { --press: #6f52c0; }
@media (prefers-color-scheme: dark) { :root { --press: #a58cf0; } }
form { margin-top: 1.25rem; display: grid; gap: .5rem; }
label { font-weight: 600; }
input, button { font: inherit; padding: .5rem .75rem; border-radius: .375rem; border: 1px solid var(--quiet); }
input { background: transparent; color: inherit; }
button { justify-self: start; background: var(--press); border-color: var(--press); color: var(--ground); cursor: pointer; }
input:focus-visible, button:focus-visible { outline: 2px solid var(--line); outline-offset: 2px; }
[role=alert] { font-weight: 600; }
`;

/** Asks for the password of a locked address. It works without scripts. */
export function renderPasswordPage({ problem, next }: PasswordPage): string {
  const title = 'This address is protected';
  const alert = problem === null ? '' : `<p role="alert" id="problem">${escapeHtml(problem)}</p>\n`;
  const invalid = problem === null ? '' : ' aria-invalid="true" aria-describedby="problem"';
  const content = `<h1>${title}</h1>
<p>Whoever runs it has set a password.</p>
<form method="post" action="${UNLOCK_PATH}">
${alert}<label for="password">Password</label>
<input id="password" name="password" type="password" maxlength="256" autocomplete="current-password" required autofocus${invalid}>
<input name="next" type="hidden" value="${escapeHtml(next)}">
<button type="submit">Open</button>
</form>`;
  return renderPage({ title, content, style: STYLE });
}

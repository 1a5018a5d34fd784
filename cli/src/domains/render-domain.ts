import { stepsOf, type DomainStep, type StepState } from '@lilac/contract/domain-steps';
import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { readableHostname } from '@lilac/contract/readable-hostname';
import { plainText } from '../terminal/printable.ts';
import type { Paper } from '../terminal/render.ts';
import { alignColumns, alignRows } from '../terminal/table.ts';
import { wrapText } from '../terminal/wrap-text.ts';

export type DomainState = OutputOf<Endpoints['applications.check-domain']>;

const NO_DOMAIN = 'It has no domain of its own; "lilac domains add" gives it one.';
/** Whoever looks later would not know why nothing answers. */
const SWITCHED_OFF =
  'It has no domain of its own, and its generated address is switched off: it is reached at none.\n' +
  '"lilac domains add" gives it a domain, "lilac domains remove" switches the generated address on again.';

/** How far it is, what is amiss, and the records it needs. */
export function renderDomain(state: DomainState, paper: Paper): string {
  if (state.domain === null) return state.auto_subdomain ? NO_DOMAIN : SWITCHED_OFF;
  return [
    heading(state),
    stepsOf(state)
      .map((step) => renderStep(step, paper))
      .join('\n'),
    ...(state.error === null ? [] : [renderSentence(state.error, paper)]),
    ...(state.records.length === 0 ? [] : [renderRecords(state, paper)]),
  ].join('\n\n');
}

/** Where the platform is at a port of its own, the name alone leads nowhere. */
function heading({ domain, url }: DomainState): string {
  const name = plainText(readableHostname(domain ?? ''));
  return url && URL.parse(url)?.port ? `${name}, at ${plainText(url)}` : name;
}

/** What to create, or what must stay. */
export function renderRecords({ dns_verified, records }: DomainState, { width }: Paper): string {
  const these = records.length === 1 ? 'this record' : 'these records';
  const heading = dns_verified
    ? `Leave ${these} where the DNS of the domain is kept:`
    : `Create ${these} where the DNS of the domain is kept:`;
  const rows = records.map(({ type, name, value }) => [type, plainText(name), plainText(value)]);
  const table = alignRows([['TYPE', 'NAME', 'VALUE'], ...rows]);
  // They are copied from here: rather below one another than cut.
  const fits = table.every((line) => line.length <= width);
  const blocks = rows.map(([type = '', name = '', value = '']) =>
    alignColumns([
      ['TYPE', type],
      ['NAME', name],
      ['VALUE', value],
    ]),
  );
  return `${heading}\n\n${fits ? table.join('\n') : blocks.join('\n\n')}`;
}

/** The steps that are over and the one that it is at, a line each: those that were not there before are news. */
export function progressLines(state: DomainState, paper: Paper): string[] {
  const reached = stepsOf(state).filter(({ state: step }) => step !== 'ahead');
  const lines = reached.map((step) => renderStep(step, paper));
  return state.error === null ? lines : [...lines, renderSentence(state.error, paper)];
}

const marks: Record<StepState, readonly [unicode: string, ascii: string]> = {
  done: ['✓', '[x]'],
  current: ['…', '[.]'],
  failed: ['✗', '[!]'],
  ahead: ['·', '[ ]'],
};

function renderStep({ title, state }: DomainStep, { hasUnicode }: Paper): string {
  return `${marks[state][hasUnicode ? 0 : 1]} ${title}`;
}

function renderSentence(text: string, { width }: Paper): string {
  return wrapText(plainText(text), width).join('\n');
}

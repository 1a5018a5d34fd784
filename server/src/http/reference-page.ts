import { createHash } from 'node:crypto';
import { errorCatalogue } from '@lilac/contract/errors';
import {
  answerTitle,
  exampleSettingsAt,
  referenceSections,
  type EndpointReference,
  type ReferenceSection,
} from '@lilac/contract/reference';
import type { RequestHeader } from '@lilac/contract/request-headers';
import type { Field } from '@lilac/contract/schema-fields';
import { referenceStyle } from './reference-style.ts';

/** The reference as one page that asks nobody for anything: no script, no font, no image. */
export function referencePage({ origin }: URL): { html: string; contentSecurityPolicy: string } {
  const sections = referenceSections();
  const styleHash = createHash('sha256').update(referenceStyle).digest('base64');
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lilac API reference</title>
<style>${referenceStyle}</style>
</head>
<body>
<nav aria-label="Endpoints"><a class="brand" href="#top">Lilac <span>API reference</span></a>${sections.map(navigation).join('')}
<section><h2><a href="#errors">errors</a></h2></section></nav>
<main id="top">${introduction(origin)}${sections.map(section).join('')}${errors()}</main>
</body>
</html>
`,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

const introduction = (origin: string): string => `<header><h1>Lilac API</h1>
<p>Reads and writes are <code>POST</code> with a JSON body; the operation is in the path. Success answers the resource
itself, a list with pages answers <code>{items, totalItems, totalPages, currentPage}</code>, failure answers
<code>{message, code}</code>. Send <code>Authorization: Bearer</code> with a session token or an API key. With a session
token say which organisation you mean in <code>targetOrganisationId</code>; an API key belongs to one already.
<a href="#auth.profile">auth.profile</a> lists your organisations.</p>
<p>The examples work in a shell that was told where the platform is and who asks. The <code>lilac</code> command line
reads the same variables.</p>
<pre tabindex="0"><code>${escape(exampleSettingsAt(origin))}</code></pre>
<p>An API key is made in the console, or with <a href="#api-keys.create">api-keys.create</a>. A session token lives 15
minutes; on the platform's machine <code>npx lilac admin session create --email ada@example.org</code> gives one.</p>
<p>Every answer carries <code>RateLimit-Limit</code>, <code>RateLimit-Remaining</code>, <code>RateLimit-Reset</code> and
<code>X-Request-Id</code>. The same reference for programs: <a href="/api/openapi.json">/api/openapi.json</a>
(OpenAPI 3.1).</p></header>`;

function navigation({ tag, endpoints }: ReferenceSection): string {
  const links = endpoints.map(
    ({ name, method }) => `<li><a href="#${name}">${badge(method)}<span>${escape(name)}</span></a></li>`,
  );
  return `<section><h2><a href="#${tag}">${escape(tag)}</a></h2><ul>${links.join('')}</ul></section>`;
}

function section({ tag, description, endpoints }: ReferenceSection): string {
  return `<section id="${tag}"><h2>${escape(tag)}</h2><p>${escape(description)}</p>${endpoints.map(article).join('')}</section>`;
}

function article(endpoint: EndpointReference): string {
  const { name, method, path, summary, description, access } = endpoint;
  return `<article id="${name}">
<h3><a href="#${name}">${escape(summary)}</a></h3>
<p class="route">${badge(method)}<code>${escape(path)}</code></p>
<p class="access">${access.map((statement) => `<span>${escape(statement)}</span>`).join('')}</p>
${description ? `<p>${escape(description)}</p>` : ''}
${table({ title: 'Query', fields: endpoint.parameters, remark: REQUIRED })}
${headers(endpoint.headers)}
${table({ title: endpoint.acceptsForm ? 'Body (JSON or form)' : 'Body', fields: endpoint.body, remark: REQUIRED })}
${answers(endpoint)}
<details><summary>Errors: ${endpoint.errors.map(({ code }) => code).join(', ')}</summary>${errorRows(endpoint.errors)}</details>
<pre tabindex="0"><code>${escape(endpoint.example)}</code></pre>
${endpoint.cli ? `<pre tabindex="0"><code>${escape(endpoint.cli)}</code></pre>` : ''}
</article>`;
}

function answers(endpoint: EndpointReference): string {
  const tables = endpoint.answers.map(({ type, fields }, index) =>
    table({ title: answerTitle(endpoint, index), fields, remark: OPTIONAL, type }),
  );
  return tables.join('\n');
}

function headers(list: readonly RequestHeader[]): string {
  if (list.length === 0) return '';
  const rows = list.map(
    ({ name, example, description }) =>
      `<tr><td><code>${escape(name)}</code></td><td><code>${escape(example)}</code></td><td>${escape(description)}</td></tr>`,
  );
  return `<h4>Headers</h4><div class="wide"><table class="fields"><tbody>${rows.join('')}</tbody></table></div>`;
}

interface TableOptions {
  title: string;
  fields: readonly Field[];
  /** Of what is sent, what must be there is worth a word; of what is answered, what may be missing. */
  remark: { isRequired: boolean; word: string };
  type?: string;
}

const REQUIRED = { isRequired: true, word: 'required' };
const OPTIONAL = { isRequired: false, word: 'may be absent' };

function table({ title, fields, remark, type = 'object' }: TableOptions): string {
  const ofWhat = type === 'object' ? '' : ` <small>${escape(type)}</small>`;
  if (fields.length === 0) return ofWhat && `<h4>${escape(title)}${ofWhat}</h4>`;
  const rows = fields.map(({ path, type, isRequired, notes }) => {
    const word = isRequired === remark.isRequired ? ` <em>${remark.word}</em>` : '';
    return `<tr><td><code>${escape(path)}</code></td><td>${escape(type)}${word}</td><td>${escape(notes)}</td></tr>`;
  });
  return `<h4>${escape(title)}${ofWhat}</h4><div class="wide"><table class="fields"><tbody>${rows.join('')}</tbody></table></div>`;
}

function errors(): string {
  const all = Object.entries(errorCatalogue).map(([code, { status, message }]) => ({ code, status, message }));
  return `<section id="errors"><h2>errors</h2><p>Codes are stable; messages may become clearer.</p>${errorRows(all)}</section>`;
}

function errorRows(rows: readonly { code: string; status: number; message: string }[]): string {
  const lines = rows.map(
    ({ code, status, message }) =>
      `<tr><td>${status}</td><td><code>${code}</code></td><td>${escape(message)}</td></tr>`,
  );
  return `<div class="wide"><table><tbody>${lines.join('')}</tbody></table></div>`;
}

function badge(method: string): string {
  return `<b class="method ${method.toLowerCase()}">${method}</b>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}

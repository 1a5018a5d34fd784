import { errorCatalogue } from '../contract/src/errors.ts';
import {
  answerTitle,
  exampleSettings,
  referenceSections,
  type AnswerShape,
  type EndpointReference,
} from '../contract/src/reference.ts';
import type { RequestHeader } from '../contract/src/request-headers.ts';
import type { Field } from '../contract/src/schema-fields.ts';
import { settings } from '../server/src/config.ts';

const GENERATED = '<!-- Written by `npm run generate`; do not edit. -->';

/** docs/reference/api.md */
export function apiReference(): string {
  const sections = referenceSections();
  const contents = sections.flatMap(({ tag, endpoints }) => [
    `- [${tag}](#${tag})`,
    ...endpoints.map(({ name, summary }) => `  - [\`${name}\`](#${anchorOf(name)}): ${summary}`),
  ]);
  const body = sections.flatMap(({ tag, description, endpoints }) => [
    `## ${tag}\n\n${description}`,
    ...endpoints.map(endpointText),
  ]);
  return page('The HTTP API', [INTRODUCTION, contents.join('\n'), ...body]);
}

const INTRODUCTION = `Reads and writes are \`POST\` with a JSON body; the operation is in the path. Success answers the resource itself,
a list with pages answers \`{items, totalItems, totalPages, currentPage}\`, failure answers \`{message, code}\`
(see [errors](errors.md)). Send \`Authorization: Bearer\` with a session token or an API key. With a session token say
which organisation you mean in \`targetOrganisationId\`; an API key belongs to one already. [\`auth.profile\`](#authprofile)
lists your organisations.

Body fields are never converted (\`"5"\` is not a number), and fields that are not declared are ignored. Every answer
carries \`RateLimit-Limit\`, \`RateLimit-Remaining\`, \`RateLimit-Reset\` and \`X-Request-Id\`.

The examples work in a shell that was told where the platform is and who asks. The \`lilac\` command line reads the same
variables.

\`\`\`sh
${exampleSettings}
\`\`\`

An API key is made in the console, or with [\`api-keys.create\`](#api-keyscreate). A session token lives 15 minutes; on the
platform's machine \`npx lilac admin session create --email ada@example.org\` gives one.

The same for programs: [openapi.json](openapi.json). A running platform serves both, at \`/docs\` and \`/api/openapi.json\`.`;

/** docs/reference/errors.md */
export function errorReference(): string {
  const rows = Object.entries(errorCatalogue).map(([code, { status, message }]) => [
    `\`${code}\``,
    String(status),
    message,
  ]);
  return page('Error codes', [
    'Every failure answers `{message, code}`. The code is stable; the message is for people and may become clearer.',
    table(['Code', 'Status', 'Message'], rows),
  ]);
}

/** docs/reference/configuration.md */
export function configurationReference(): string {
  const rows = settings.map((setting) => [`\`${setting.name}\``, defaultOf(setting.default), setting.summary]);
  return page('Configuration', [
    'Everything is set by environment variables, read once at the start.',
    table(['Variable', 'Default', 'What it is for'], rows),
  ]);
}

/** A default that is said in words has its own backticks. */
function defaultOf(text: string): string {
  return text === '' || text.includes('`') ? text : `\`${text}\``;
}

function endpointText(endpoint: EndpointReference): string {
  const { name, method, path, summary, description, access, parameters, headers, body, acceptsForm } = endpoint;
  const paragraphs = [
    `### ${name}`,
    `\`${method} ${path}\``,
    `${summary}. ${description ?? ''}`.trim(),
    `Access: ${access.join(', ')}.`,
    ...(endpoint.cli ? [`Command line: \`${endpoint.cli}\``] : []),
    ...(parameters.length > 0 ? ['**Query**', fieldTable(parameters)] : []),
    ...(headers.length > 0 ? ['**Headers**', headerTable(headers)] : []),
    ...(body.length > 0 ? [`**Body**${acceptsForm ? ' (JSON or form)' : ''}`, fieldTable(body)] : []),
    ...endpoint.answers.flatMap((answer, index) => answerText(answer, answerTitle(endpoint, index))),
    `Errors: ${endpoint.errors.map(({ code }) => `\`${code}\``).join(', ')}`,
    `\`\`\`sh\n${endpoint.example}\n\`\`\``,
  ];
  return paragraphs.join('\n\n');
}

function answerText({ type, fields }: AnswerShape, title: string): string[] {
  const heading = `**${title}**${type === 'object' ? '' : ` (${type})`}`;
  return fields.length > 0 ? [heading, fieldTable(fields)] : [heading];
}

function headerTable(headers: readonly RequestHeader[]): string {
  const rows = headers.map(({ name, example, description }) => [`\`${name}\``, `\`${example}\``, description]);
  return table(['Header', 'Example', 'Notes'], rows);
}

function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map(({ path, type, isRequired, notes }) => [`\`${path}\``, type, isRequired ? 'yes' : '', notes]);
  return table(['Field', 'Type', 'Required', 'Notes'], rows);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}

export function page(title: string, paragraphs: readonly string[]): string {
  return `${GENERATED}\n\n# ${title}\n\n${paragraphs.join('\n\n')}\n`;
}

/** As GitHub makes them of headings. */
function anchorOf(heading: string): string {
  return heading.replaceAll(/[^\w-]/g, '');
}

import { callerDescriptions, callers, refusalOf } from '../contract/src/authorisation.ts';
import type { EndpointDeclaration } from '../contract/src/endpoint.ts';
import { declarationOf, endpointNames } from '../contract/src/endpoints.ts';
import { errorCatalogue } from '../contract/src/errors.ts';
import { tagDescriptions, tagOf, type Tag } from '../contract/src/tags.ts';
import { page, table } from './markdown-reference.ts';

/** docs/reference/authorisation.md */
export function authorisationReference(): string {
  const sections = (Object.keys(tagDescriptions) as Tag[]).flatMap((tag) => [`## ${tag}`, tableOf(tag)]);
  return page('Who may call what', [INTRODUCTION, peopleTable(), NOTES, ...sections]);
}

const INTRODUCTION = `Every endpoint and stream of the API, and every kind of caller. All of it follows from the declarations in
\`contract/src/\`; \`server/src/http/contract-matrix.test.ts\` makes each of these calls against a real server.`;

const NOTES = `A call that is let in may still be refused for what it says, or for what it is about. An id of another
organisation is answered as an id that does not exist. Where a table says "live session", a person whose session was
ended is refused at once (\`CA002\`), elsewhere when the access token runs out. A key of an organisation whose plan has
no keys is refused everywhere (\`CA008\`). Refusals:

${table(
  ['Code', 'Message'],
  (['CA001', 'CA003', 'CA004', 'CA005', 'CA006'] as const).map((code) => [`\`${code}\``, errorCatalogue[code].message]),
)}`;

function peopleTable(): string {
  return table(
    ['Caller', 'Who that is'],
    callers.map((caller) => [caller, callerDescriptions[caller]]),
  );
}

function tableOf(tag: Tag): string {
  const rows = endpointNames
    .filter((name) => tagOf(name) === tag)
    .map((name) => {
      const declaration = declarationOf(name);
      const answers = callers.map((caller) => refusalOf(declaration, caller) ?? 'yes');
      return [`\`${name}\``, needsOf(declaration), ...answers];
    });
  return table(['Endpoint', 'Needs', ...callers], rows);
}

function needsOf({ permission, minimumRole, needsLiveSession, stream }: EndpointDeclaration): string {
  const needs = [
    permission && `\`${permission}\``,
    minimumRole && `role ${minimumRole}`,
    needsLiveSession && 'live session',
    stream && 'stream',
  ];
  return needs.filter(Boolean).join(', ');
}

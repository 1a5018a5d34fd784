import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import { toDocumentSchema } from '@lilac/contract/json-schema';
import { renderNote, renderType } from './render-type.ts';

/** In place of `contract/src/endpoints.ts` and `endpoint.ts`, whose types are made of zod's. */
export const endpointHelperTypes = `
type Part<Name extends string, D> = D extends { [N in Name]: infer Value } ? Value : undefined;
export type BodyInputOf<D> = Part<'body', D>;
export type QueryInputOf<D> = Part<'query', D>;
export type ParamsInputOf<D> = Part<'params', D>;
export type OutputOf<D> = Part<'output', D>;
`.trimStart();

export function renderEndpointTypes(): string {
  const entries = endpointNames.map((name) => `${noteOf(name)}  '${name}': ${typeOf(name)};\n`);
  return `export interface Endpoints {\n${entries.join('')}}\n\nexport type EndpointName = keyof Endpoints;\n`;
}

type Name = (typeof endpointNames)[number];

function noteOf(name: Name): string {
  const { summary, description } = declarationOf(name);
  return renderNote(description ? `${summary}. ${description}` : `${summary}.`, '  ');
}

function typeOf(name: Name): string {
  const declaration = declarationOf(name);
  const parts = (['body', 'query', 'params'] as const).flatMap((part) => {
    const schema = declaration[part];
    return schema ? [`    ${part}: ${renderType(toDocumentSchema(schema, 'input'), '    ')};\n`] : [];
  });
  const output = `    output: ${renderType(toDocumentSchema(declaration.output, 'output'), '    ')};\n`;
  return `{\n${parts.join('')}${output}${declaration.stream ? '    stream: true;\n' : ''}  }`;
}

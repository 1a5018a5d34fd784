import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import type { Plugin } from 'rolldown';

/** A caller needs to know how an endpoint is called, never its schemas: this keeps zod out of the bundle. */
export function endpointTable(): Plugin {
  return {
    name: 'lilac:endpoint-table',
    load(id) {
      return id.endsWith('/contract/src/endpoints.ts') ? renderTable() : null;
    },
  };
}

function renderTable(): { code: string; moduleType: 'js' } {
  const rows = endpointNames.map((name) => {
    const { method, path, body, credential, mcp } = declarationOf(name);
    return [name, { method, path, body: Boolean(body), credential, mcp }];
  });
  const code = [
    // As a text it stays on one line, and engines read it faster than an object that is written out.
    `export const endpoints = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(rows)))});`,
    'export const endpointNames = Object.keys(endpoints);',
    'export const declarationOf = (name) => endpoints[name];',
  ].join('\n');
  return { code, moduleType: 'js' };
}

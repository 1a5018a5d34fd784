import { declarationOf, endpointNames } from '@lilac/contract/endpoints';
import type { Plugin } from 'vite';

/** A browser needs to know how an endpoint is called, never its schemas: this keeps zod out of the bundle. */
export function endpointTable(): Plugin {
  return {
    name: 'lilac:endpoint-table',
    load(id) {
      return id.endsWith('/contract/src/endpoints.ts') ? renderTable() : null;
    },
  };
}

function renderTable(): string {
  const rows = endpointNames.map((name) => {
    const { method, path, body } = declarationOf(name);
    return [name, { method, path, body: Boolean(body) }];
  });
  return [
    `export const endpoints = ${JSON.stringify(Object.fromEntries(rows))};`,
    'export const endpointNames = Object.keys(endpoints);',
    'export const declarationOf = (name) => endpoints[name];',
  ].join('\n');
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commands } from '../cli/src/frame/command.ts';
import { openApiDocument } from '../contract/src/openapi.ts';
import { authorisationReference } from './authorisation-reference.ts';
import { cliReference } from './cli-reference.ts';
import { dependencyReference } from './dependency-reference.ts';
import { apiReference, configurationReference, errorReference } from './markdown-reference.ts';
import { mcpReference } from './mcp-reference.ts';

/** What is written from the code, committed, and held fresh by `npm run check`. */
const generated: Record<string, () => string> = {
  'docs/reference/openapi.json': () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/reference/api.md': apiReference,
  'docs/reference/authorisation.md': authorisationReference,
  'docs/reference/cli.md': cliReference,
  'docs/reference/dependencies.md': dependencyReference,
  'docs/reference/errors.md': errorReference,
  // So that "lilac --help" need not load the contract.
  'cli/src/frame/command-list.json': () =>
    `${JSON.stringify(Object.fromEntries(commands.map(({ words, summary }) => [words.join(' '), summary])), null, 2)}\n`,
  'docs/reference/configuration.md': configurationReference,
  'docs/reference/mcp.md': mcpReference,
};

const root = dirname(import.meta.dirname);
const stale = Object.entries(generated).filter(([path, write]) => readIfThere(join(root, path)) !== write());

if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is out of date: run "npm run generate".`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, write] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), write());
    console.log(`wrote ${path}`);
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

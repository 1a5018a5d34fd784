import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const workspaces = read('package.json').workspaces;
const files = globSync('**/*.{ts,tsx,mjs}', {
  cwd: root,
  exclude: (path) => /(?:^|\/)(?:node_modules|dist)$|^examples$/.test(path),
});

/** An import that is expected to fail where the package is not installed. */
const OPTIONAL = new Set(['cli/bin/lilac.mjs @lilac/server']);

describe.each(['', ...workspaces])('workspace "%s"', (workspace) => {
  const own = files.filter((path) => workspaceOf(path) === workspace);

  it('names every package that its files import', () => {
    const named = namedBy(workspace);
    expect(own.flatMap((path) => unnamed(path, named))).toEqual([]);
  });
});

it('imports of packages are found, in both of their forms', () => {
  expect(importsOf('server/src/db/pool.ts')).toContain('pg');
  expect(importsOf('cli/bin/lilac.mjs')).toContain('@lilac/server');
});

const namedByRoot = namedBy('');

function unnamed(path, named) {
  // The tools of tests are named by the root, once for all workspaces.
  const known = isForTests(path) ? new Set([...named, ...namedByRoot]) : named;
  return importsOf(path)
    .filter((name) => !known.has(name))
    .map((name) => `${path} ${name}`)
    .filter((found) => !OPTIONAL.has(found));
}

/** Few files do, and parsing takes longest. */
const MAY_IMPORT = /(?:from|import)\s*\(?\s*['"][\w@](?!ode:)/;

/** The packages that a file imports by name, types included. */
function importsOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  if (!MAY_IMPORT.test(text)) return [];
  const { module } = parseSync(path, text);
  const literal = ({ start, end }) => /^(['"])(.*)\1$/.exec(text.slice(start, end))?.[2] ?? '.';
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.map(({ moduleRequest }) => literal(moduleRequest)),
  ];
  return [...new Set(specifiers.filter(isPackage).map(packageOf))];
}

const isPackage = (specifier) => !/^(?:\.|\/|#|node:|virtual:)/.test(specifier) && !builtinModules.includes(specifier);

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const isForTests = (path) => /\.test\.|\/testing\/|\/conformance[-.\w]*\.ts$/.test(path);

const workspaceOf = (path) => workspaces.find((workspace) => path.startsWith(`${workspace}/`)) ?? '';

function namedBy(workspace) {
  const manifest = read(join(workspace, 'package.json'));
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return new Set([
    manifest.name,
    ...[dependencies, devDependencies, optionalDependencies].flatMap((each) => Object.keys(each ?? {})),
  ]);
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The shape of the server, held by a test. Imports point down this list only: a file may import from
 * its own layer and from those below it.
 */
const layers: readonly (readonly string[])[] = [
  ['main.ts'],
  ['supervisor/', 'roles/'],
  ['wire/'],
  ['operator/', 'http/', 'edge/'],
  ['modules/'],
  ['build/', 'runtime/', 'engines/'],
  ['backup/', 'jobs/', 'artifacts/', 'routing/', 'logs/', 'metrics/', 'vcs/', 'sandbox/', 'certificates/', 'dns/'],
  ['objects/', 'source/'],
  ['secrets/', 'store/'],
  ['config.ts', 'config/', 'db/'],
  ['lib/'],
];

/** What a module's files need of the http layer is one interface: what a handler is given. */
const interfaceFiles = ['http/handler.ts'];

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !isForTests(file))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

describe('the layers of the server', () => {
  it('were really looked at', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(files.flatMap((file) => importsOf(file)).length).toBeGreaterThan(100);
    for (const { path } of files) expect(layerOf(path), `${path} belongs to no layer`).not.toBe(-1);
  });

  it('import only downwards', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !interfaceFiles.includes(target) && layerOf(target) < layerOf(file.path))
        .map((target) => `${file.path} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('never import what is made for tests', () => {
    expect(files.filter((file) => importsOf(file).some(isForTests))).toEqual([]);
  });
});

describe('the rules of the server', () => {
  it('only config.ts reads the environment', () => {
    expect(whichMatch(/process\.env\b/, ['config.ts', 'main.ts'])).toEqual([]);
  });

  it('only lib/exec.ts starts programs', () => {
    expect(whichMatch(/node:child_process|node:cluster/, ['lib/exec.ts'])).toEqual([]);
  });

  it('nobody waits for a response or an error alone: a server can see to it that there is neither (lib/answer-of.ts)', () => {
    const waiting =
      /\bon(ce)?\(\s*(\w+,\s*)?'response'|\b(request\w*|get|getSecurely)\([^;]*,\s*(async )?\(?\w+\)?\s*=>/;
    const ownWays = ['lib/answer-of.ts', 'edge/api-proxy.ts'];
    const offenders = whichMatch(waiting, ownWays).filter((path) => /from 'node:https?'/.test(textOf(path)));
    expect(offenders).toEqual([]);
  });

  it("only *-store.ts, db/ and backup/ hold SQL for the platform's store; engines/ speaks with its customers'", () => {
    const sql =
      /\b(select\s+[\w.*,\s()]+\s+from|insert\s+into|update\s+\w+\s+set|delete\s+from)\b|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/i;
    const offenders = whichMatch(sql, []).filter((path) => !/(-store\.ts|^db\/|^backup\/|^engines\/)/.test(path));
    expect(offenders).toEqual([]);
  });
});

/** `testing/` at the top is shared; a folder may keep what only its own tests need in one of its own. */
function isForTests(path: string): boolean {
  return /(^|\/)testing\//.test(path);
}

function whichMatch(pattern: RegExp, exempt: readonly string[]): string[] {
  return files
    .filter(({ path, text }) => !exempt.includes(path) && pattern.test(withoutComments(text)))
    .map((file) => file.path);
}

function textOf(path: string): string {
  return files.find((file) => file.path === path)!.text;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

function layerOf(path: string): number {
  return layers.findIndex((layer) =>
    layer.some((entry) => path === entry || (entry.endsWith('/') && path.startsWith(entry))),
  );
}

/** The files of the server that a file imports, types included. */
function importsOf(file: { path: string; text: string }): string[] {
  const specifiers = [...file.text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '');
  return specifiers.map((specifier) => relative(root, resolve(root, dirname(file.path), specifier)));
}

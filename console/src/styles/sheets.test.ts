import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/**
 * Every class is global, and a sheet stays once its page was visited: what two pages name alike looks different
 * depending on where one comes from.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const shared = new Set(sheetsOf('styles').flatMap(selectorsOf).flatMap(classesOf));
const others = ['pages', 'parts', 'shell'].flatMap(sheetsOf);

it('what a page or a part styles bears a class of its own, not only those that all share', () => {
  const loose = others.flatMap((sheet) =>
    selectorsOf(sheet)
      .filter((selector) => ownClassOf(selector) === undefined)
      .map((selector) => `${sheet}: ${selector}`),
  );
  expect(loose).toEqual([]);
});

it('a class is defined by one sheet', () => {
  const sheets = new Map<string, Set<string>>();
  for (const sheet of others) {
    for (const name of selectorsOf(sheet).map(ownClassOf)) {
      if (name !== undefined) sheets.set(name, (sheets.get(name) ?? new Set()).add(sheet));
    }
  }
  expect(sheets.size).toBeGreaterThan(50);
  expect([...sheets].filter(([, each]) => each.size > 1).map(([name, each]) => [name, ...each])).toEqual([]);
});

function sheetsOf(folder: string): string[] {
  return globSync(`${folder}/**/*.css`, { cwd: root }).toSorted();
}

function selectorsOf(sheet: string): string[] {
  const text = readFileSync(`${root}/${sheet}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const preludes = [...text.matchAll(/([^{};]+)\{/g)].map(([, prelude]) => prelude!.trim());
  return (
    preludes
      .filter((prelude) => !/^(@|from$|to$|[\d.]+%)/.test(prelude))
      // Commas inside of :is() and the like do not part selectors.
      .flatMap((prelude) => prelude.split(/,(?![^(]*\))/))
      .map((selector) => selector.trim())
  );
}

function classesOf(selector: string): string[] {
  return [...selector.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name]) => name!);
}

/** The outermost one that is not for all: what is inside of it is styled there only. */
function ownClassOf(selector: string): string | undefined {
  return classesOf(selector).find((name) => !shared.has(name));
}

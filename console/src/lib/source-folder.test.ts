import { describe, expect, it } from 'vitest';
import { droppedOf } from './dropped-entries.ts';
import { folderOfTransfer } from './source-folder.ts';

/** A file by what is in it, a folder by what it holds. */
type Disk = { [name: string]: string | Disk };

/** As a browser hands it over: a folder tells a hundred of its entries at a time, and nothing at the end. */
function drop(disk: Disk) {
  const lookedInto: string[] = [];
  const entries = entriesOf(disk, '');
  const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
  return { lookedInto, top: folderOfTransfer({ items, files: [] } as unknown as DataTransfer) };

  function entriesOf(folder: Disk, at: string): FileSystemEntry[] {
    return Object.entries(folder).map(([name, held]) => {
      const path = `${at}/${name}`;
      if (typeof held === 'string') return fileEntry(name, held);
      return { name, isFile: false, createReader: () => readerOf(entriesOf(held, path), path) } as never;
    });
  }

  function readerOf(children: FileSystemEntry[], path: string) {
    lookedInto.push(path);
    return { readEntries: (give: (some: FileSystemEntry[]) => void) => give(children.splice(0, 100)) };
  }
}

const fileEntry = (name: string, text: string): FileSystemEntry =>
  ({ name, isFile: true, file: (give: (file: Blob) => void) => give(new Blob([text])) }) as never;

async function pathsOf(disk: Disk) {
  const dropped = await droppedOf(drop(disk).top);
  return 'files' in dropped ? dropped.files.map(({ path }) => path) : null;
}

describe('a folder that is dropped', () => {
  it('is not looked into where it is left out whole: by its rules, by those above, or always', async () => {
    const { top, lookedInto } = drop({
      shop: {
        '.gitignore': 'dist/\n!dist/kept\n',
        '.lilacignore': 'data\n',
        'index.html': '',
        dist: { kept: { 'a.js': '' } },
        data: { 'b.csv': '' },
        node_modules: { x: { 'index.js': '' } },
        '.ssh': { config: '' },
        api: { '.gitignore': '/cache', cache: { c: '' }, dist: { d: '' }, src: { 'main.py': '' } },
      },
    });
    expect(await droppedOf(top)).toMatchObject({
      name: 'shop',
      files: [{ path: '.gitignore' }, { path: 'index.html' }, { path: 'api/.gitignore' }, { path: 'api/src/main.py' }],
      leftOut: { ignored: ['api/cache/', 'api/dist/', 'data/', 'dist/'], secrets: ['.ssh/'] },
    });
    expect(lookedInto).toEqual(['/shop', '/shop/api', '/shop/api/src']);
  });

  it('is read to its end', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_none, index) => [`f${index}`, '']));
    expect(await pathsOf({ many })).toHaveLength(250);
  });

  it('keeps its name where several are dropped, and loses it where it is the only one', async () => {
    expect(await pathsOf({ a: { 'x.html': '' }, 'y.html': '' })).toEqual(['y.html', 'a/x.html']);
    expect(await pathsOf({ a: { 'x.html': '' }, '.DS_Store': '' })).toEqual(['x.html']);
  });
});

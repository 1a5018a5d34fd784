import { describe, expect, it } from 'vitest';
import { droppedOf, isZip } from './dropped-entries.ts';

const drop = (...paths: string[]) => droppedOf(paths.map((path) => ({ path, content: new Blob([path]) })));
const pathsOf = (dropped: ReturnType<typeof droppedOf>) =>
  dropped && 'files' in dropped ? dropped.files.map(({ path }) => path) : null;

describe('what is dropped', () => {
  it('an archive goes as it is', () => {
    expect(drop('my-site.ZIP')).toEqual({ name: 'my-site', archive: expect.any(Blob) });
  });

  it('a folder gives its name, and its files stand at the top', () => {
    const dropped = drop('shop/index.html', 'shop/css/a.css');
    expect(dropped?.name).toBe('shop');
    expect(pathsOf(dropped)).toEqual(['index.html', 'css/a.css']);
  });

  it('loose files stay where they are, also an archive among them', () => {
    expect(pathsOf(drop('index.html', 'downloads.zip'))).toEqual(['index.html', 'downloads.zip']);
    expect(pathsOf(drop('a/x.html', 'b/y.html'))).toEqual(['a/x.html', 'b/y.html']);
    expect(pathsOf(drop('site/x.zip'))).toEqual(['x.zip']);
  });

  it('one loose file gives its name', () => {
    expect(drop('about.html')?.name).toBe('about');
  });

  it('is a zip by how it begins, whatever it is called', async () => {
    expect(await isZip(new Blob(['PK\u0003\u0004rest']))).toBe(true);
    expect(await isZip(new Blob(['just words']))).toBe(false);
    expect(await isZip(new Blob([]))).toBe(false);
  });

  it('leaves out what is not to be sent', () => {
    expect(pathsOf(drop('s/a.js', 's/node_modules/x/i.js', 's/.git/HEAD', 's/.DS_Store', 's/.gitignore'))).toEqual([
      'a.js',
      '.gitignore',
    ]);
    expect(drop('s/node_modules/a.js')).toBeNull();
    expect(drop()).toBeNull();
  });
});

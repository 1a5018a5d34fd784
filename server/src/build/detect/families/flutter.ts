import type { Family } from '../finding.ts';
import { parseYaml, toTable } from '../parse/read-data.ts';

/** Flutter for the web; its other platforms are no sites. */
export const flutter: Family = {
  name: 'Flutter',
  frameworks: ['flutter'],
  async detect({ files }) {
    const text = await files.read('pubspec.yaml');
    if (text === null || !(await files.has('web/index.html'))) return null;
    const { dependencies, ...rest } = parseYaml('pubspec.yaml', text);
    if (!('flutter' in rest) && !('flutter' in toTable(dependencies))) return null;
    return {
      framework: 'flutter',
      language: 'other',
      deploymentType: 'static',
      installCommand: 'flutter pub get',
      buildCommand: 'flutter build web --release',
      outputDirectory: 'build/web',
      isSinglePage: true,
      cacheFolders: ['.dart_tool'],
      notes: ['It is built by the program flutter, which must be installed where builds run.'],
    };
  },
};

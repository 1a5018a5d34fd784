import type { Family } from '../finding.ts';
import { readWebProcess } from '../procfile.ts';

/** Languages that are recognised, so that a person is told which one it is, and what would help. */
const LANGUAGES: readonly [string, RegExp][] = [
  ['Gleam', /^gleam\.toml$/],
  ['C or C++', /^(CMakeLists\.txt|meson\.build)$/],
  ['Swift', /^Package\.swift$/],
  ['Clojure', /^(project\.clj|deps\.edn)$/],
  ['COBOL', /\.(cbl|cob)$/i],
  ['Crystal', /^shard\.yml$/],
  ['Dart', /^pubspec\.yaml$/],
  ['Haskell', /^stack\.yaml$|\.cabal$/],
  ['Zig', /^build\.zig$/],
  ['Scheme', /^haunt\.scm$|\.scm$/],
  ['Scala', /^build\.sbt$/],
  ['Nim', /\.nimble$/],
  ['OCaml', /^dune-project$/],
  ['R', /^(app|server)\.R$/],
  ['Julia', /^Project\.toml$/],
  ['Perl', /^cpanfile$/],
  ['Lua', /\.rockspec$/],
];

export const unsupported: Family = {
  name: 'other languages',
  frameworks: ['vapor'],
  async detect({ files }) {
    const names = [...files.fileNames];
    const language = LANGUAGES.find(([, pattern]) => names.some((name) => pattern.test(name)));
    if (!language) return null;
    const isVapor = language[0] === 'Swift' && /vapor\/vapor/.test((await files.read('Package.swift')) ?? '');
    return {
      framework: isVapor ? 'vapor' : null,
      language: 'other',
      deploymentType: 'container',
      startCommand: await readWebProcess(files),
      notes: [
        `This is a project of ${language[0]}, which the platform does not build by itself: add a Dockerfile, or create the application anew with a build command and a start command.`,
      ],
    };
  },
};

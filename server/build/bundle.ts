/**
 * Makes few files of the server's two thousand: a process that loads them starts in a quarter of the time. Whatever is
 * loaded only when it is needed stays apart, in files of its own. Argument: the folder to write to, in a folder of
 * `server/`; left out, it is where `find-program.mjs` looks.
 */
import http from 'node:http';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { buildsFolder, nameOfBuild } from './find-program.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(process.argv[2] ?? join(buildsFolder, nameOfBuild()));

/** They load compiled code by the place of their own files. */
const LEFT_AS_THEY_ARE = ['@node-rs/argon2', 'dockerode'];

/**
 * Files that are read or run by themselves (definitions of tables, threads, shims, pages) stay where they are. Whoever
 * finds them beside its own source is told where that is, seen from what is written here.
 */
const placesOfSources: Plugin = {
  name: 'places-of-sources',
  transform: {
    filter: { code: 'import.meta.' },
    handler(code, id) {
      // Ours, wherever the project lies; packages know their own places.
      if (!/^[^/]+\/src\//.test(relative(root, id))) return null;
      const file = relative(folder, id);
      return code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(file)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(file)}, import.meta.url).href`);
    },
  },
};

/** Of a browser: Node loads all of its `fetch` for whoever asks for one of them. */
const OF_A_BROWSER = ['WebSocket', 'CloseEvent', 'MessageEvent'];
const HTTP = '\0http';

/**
 * An import of `node:http` asks for everything that it has, also for what is of a browser: 13 MB of each process, and
 * half as long again as Node takes to start. So its parts are taken one by one.
 */
const httpOfServers: Plugin = {
  name: 'http-of-servers',
  resolveId: {
    filter: { id: /^(?:node:)?http$/ },
    handler: (_source, _importer, { kind }) => (kind === 'import-statement' ? HTTP : null),
  },
  load: {
    filter: { id: /^\0http$/ },
    handler() {
      const names = Object.keys(http).filter((name) => !OF_A_BROWSER.includes(name));
      const lines = names.map((name) => `export const ${name} = http.${name};`);
      return ["const http = process.getBuiltinModule('node:http');", ...lines, 'export default http;'].join('\n');
    },
  },
};

const bundle = await rolldown({
  cwd: root,
  input: { main: join(root, 'server', 'src', 'main.ts') },
  platform: 'node',
  external: LEFT_AS_THEY_ARE,
  // Some packages have a form for `require` that looks for its parts when it runs.
  resolve: { mainFields: ['module', 'main'] },
  plugins: [placesOfSources, httpOfServers],
  // That a machine is slow is nothing to tell.
  checks: { pluginTimings: false },
});
await bundle.write({
  dir: folder,
  format: 'esm',
  keepNames: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});

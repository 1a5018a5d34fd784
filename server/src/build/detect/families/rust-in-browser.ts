import type { Family, Finding } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';
import { parseToml, type Table, toTable, toText, toTexts } from '../parse/read-data.ts';

/** Libraries whose programs run in the browser alone, unless a feature says otherwise. */
const LIBRARIES = ['yew', 'leptos', 'sycamore', 'seed', 'perseus'];
const ON_SERVER = ['ssr', 'hydrate', 'fullstack'];

/** Rust that is compiled to WebAssembly and served as files. */
export const rustInBrowser: Family = {
  name: 'Rust in the browser',
  frameworks: ['trunk', 'yew', 'sycamore', 'seed', 'dioxus'],
  async detect({ files }) {
    const text = await files.read('Cargo.toml');
    if (text === null) return null;
    const manifest = parseToml('Cargo.toml', text);
    if (files.fileNames.has('Dioxus.toml')) return describeDioxus(manifest);
    return (await isBuiltByTrunk(files, manifest)) ? describeTrunk(files, manifest) : null;
  },
};

async function isBuiltByTrunk(files: ProjectFiles, manifest: Table): Promise<boolean> {
  if (files.fileNames.has('Trunk.toml')) return true;
  const page = await files.read('index.html');
  if (page === null) return false;
  if (/\bdata-trunk\b/.test(page)) return true;
  const crates = toTable(manifest['dependencies']);
  return LIBRARIES.some((name) => name in crates) && !usesServer(manifest);
}

async function describeTrunk(files: ProjectFiles, manifest: Table): Promise<Finding> {
  const crates = toTable(manifest['dependencies']);
  const settings = parseToml('Trunk.toml', (await files.read('Trunk.toml')) ?? '');
  return {
    framework: LIBRARIES.find((name) => name in crates) ?? 'trunk',
    language: 'rust',
    deploymentType: 'static',
    buildCommand: 'trunk build --release',
    outputDirectory: toText(toTable(settings['build'])['dist']) ?? 'dist',
    isSinglePage: true,
    cacheFolders: ['target'],
    notes: ['It is built by Trunk for wasm32-unknown-unknown: both must be installed where builds run.'],
  };
}

function describeDioxus(manifest: Table): Finding | null {
  const name = toText(toTable(manifest['package'])['name']);
  if (usesServer(manifest) || !name) return null;
  return {
    framework: 'dioxus',
    language: 'rust',
    deploymentType: 'static',
    buildCommand: 'dx bundle --platform web --release',
    outputDirectory: `target/dx/${name}/release/web/public`,
    isSinglePage: true,
    cacheFolders: ['target'],
    notes: ['It is built by the program dx of Dioxus, which must be installed where builds run.'],
  };
}

/** The features that are on by themselves: those of the crates, and the project's own. */
function usesServer(manifest: Table): boolean {
  const crates = Object.values(toTable(manifest['dependencies']));
  const features = [
    ...crates.flatMap((crate) => toTexts(toTable(crate)['features'])),
    ...Object.keys(toTable(manifest['features'])),
  ];
  return features.some((name) => ON_SERVER.includes(name));
}

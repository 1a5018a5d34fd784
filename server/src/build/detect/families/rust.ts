import type { Family } from '../finding.ts';
import type { ProjectFiles } from '../project-files.ts';
import { parseToml, type Table, toTable, toText, toTexts } from '../parse/read-data.ts';
import { readWebProcess } from '../procfile.ts';

const FRAMEWORKS = ['rocket', 'actix-web', 'axum', 'warp', 'poem', 'salvo', 'tide', 'leptos'];

export const rust: Family = {
  name: 'Rust',
  frameworks: ['rust', ...FRAMEWORKS],
  async detect({ files }) {
    const text = await files.read('Cargo.toml');
    if (text === null) return null;
    const manifest = parseToml('Cargo.toml', text);
    const own = toTable(manifest['package']);
    const member = 'name' in own ? {} : await findMember(files, toTexts(toTable(manifest['workspace'])['members']));
    const crates = {
      ...toTable(manifest['dependencies']),
      ...toTable(toTable(manifest['workspace'])['dependencies']),
      ...toTable(member['dependencies']),
    };
    const program = findProgram(manifest) ?? findProgram(member);
    const framework = FRAMEWORKS.find((name) => name in crates) ?? null;
    const port = framework === 'rocket' ? 'ROCKET_PORT=$PORT ' : '';
    return {
      framework,
      language: 'rust',
      deploymentType: 'container',
      runtime: 'rust',
      buildCommand: 'cargo build --release',
      startCommand: (await readWebProcess(files)) ?? (program && `${port}./target/release/${program}`),
      cacheFolders: ['target'],
    };
  },
};

/** The program that is said to be the default, the first that is named, or that of the package itself. */
function findProgram(manifest: Table): string | null {
  const own = toTable(manifest['package']);
  const programs = Array.isArray(manifest['bin']) ? manifest['bin'].map((entry) => toText(toTable(entry)['name'])) : [];
  return toText(own['default-run']) ?? programs.find(Boolean) ?? toText(own['name']);
}

/** The manifest of the first member of a workspace that is a program. */
async function findMember(files: ProjectFiles, members: readonly string[]): Promise<Table> {
  for (const member of members) {
    const folder = member.replace(/\/\*$/, '');
    const candidates =
      folder === member ? [member] : (await files.list(folder)).map((entry) => `${folder}/${entry.name}`);
    for (const candidate of candidates) {
      if (!(await files.has(`${candidate}/src/main.rs`))) continue;
      return parseToml(`${candidate}/Cargo.toml`, (await files.read(`${candidate}/Cargo.toml`)) ?? '');
    }
  }
  return {};
}

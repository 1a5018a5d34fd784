import type { Family } from '../finding.ts';
import { readWebProcess } from '../procfile.ts';

export const elixir: Family = {
  name: 'Elixir',
  frameworks: ['phoenix', 'elixir'],
  async detect({ files }) {
    const text = await files.read('mix.exs');
    if (text === null) return null;
    const code = text.replaceAll(/^[ \t]*#[^\n]*/gm, '');
    const name = code.match(/\bapp:\s*:(\w+)/)?.[1];
    const isPhoenix = /\{\s*:phoenix\s*,/.test(code);
    const assets = /"assets\.deploy"/.test(code) ? 'mix assets.deploy && ' : '';
    return {
      framework: isPhoenix ? 'phoenix' : null,
      language: 'elixir',
      deploymentType: 'container',
      runtime: 'elixir',
      installCommand: 'mix local.hex --force && mix local.rebar --force && mix deps.get --only prod',
      buildCommand: `mix compile && ${assets}mix release --overwrite`,
      startCommand: (await readWebProcess(files)) ?? (name ? `_build/prod/rel/${name}/bin/${name} start` : null),
      cacheFolders: ['deps', '_build'],
      buildVariables: { MIX_ENV: 'prod' },
    };
  },
};

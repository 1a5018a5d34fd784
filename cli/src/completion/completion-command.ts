import type { OwnCommand } from '../frame/own-command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completionCommand: OwnCommand = {
  words: ['completion'],
  summary: 'Print a script that completes commands in your shell',
  description:
    'For bash: put eval "$(lilac completion bash)" into ~/.bashrc. For zsh: the same in ~/.zshrc with zsh, after ' +
    'compinit. For fish: lilac completion fish > ~/.config/fish/completions/lilac.fish',
  endpoint: null,
  arguments: [],
  flags: [
    {
      part: 'body',
      key: 'shell',
      name: 'shell',
      kind: 'text',
      isRequired: true,
      isPositional: true,
      isNullable: false,
      choices: shells,
      description: shells.join(' | '),
    },
  ],
  async run({ body, isJson, print }) {
    const { completionScript } = await import('./completion-script.ts');
    const script = completionScript(body.shell as (typeof shells)[number]);
    await print(isJson ? `${JSON.stringify({ script }, null, 2)}\n` : script);
    return null;
  },
};

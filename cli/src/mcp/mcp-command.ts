import { switchFlag } from '../frame/flag.ts';
import type { CommandRun, OwnCommand } from '../frame/own-command.ts';
import { openLilac } from '../session/open-lilac.ts';

/** Assistants call again and again over hours: a platform that restarts meanwhile is waited for. */
const RETRY_FOR_MS = 10_000;

export const mcpCommand: OwnCommand = {
  words: ['mcp'],
  summary: 'Serve assistants (Model Context Protocol) on standard input and output',
  description:
    'For the settings of an assistant, which starts it: see docs/mcp.md. It asks the platform as you: with LILAC_TOKEN, ' +
    'or as who is signed in.',
  endpoint: null,
  arguments: [],
  flags: [switchFlag('readOnly', 'only tools that change nothing and show no secret')],
  choosesOrganisation: true,
  run: serve,
};

async function serve(run: CommandRun): Promise<null> {
  const lilac = await openLilac(run, { retryForMs: RETRY_FOR_MS });
  // Loaded for this alone: no other command should wait for it.
  const { serveOverStdio } = await import('@lilac/mcp/serve-over-stdio');
  await serveOverStdio({ lilac, isReadOnly: run.body['readOnly'] === true }, (error) =>
    run.complain(`lilac mcp: ${error.message}\n`),
  );
  return null;
}

import type { Config, Environment } from '../config.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface OperatorContext {
  terminal: Terminal;
  loadConfig(): Config;
  /** What programs that a command starts may inherit. */
  environmentOf(config: Config): Environment;
  /** Set by a command whose result is a failure without being an error. */
  exitCode: number;
}

/** With `--json` the document and nothing else; otherwise lines for people. */
export function printResult(
  { terminal }: Pick<OperatorContext, 'terminal'>,
  { isJson, document, lines }: { isJson: boolean; document: unknown; lines: readonly string[] },
): void {
  if (isJson) terminal.print(JSON.stringify(document, null, 2));
  else for (const line of lines) terminal.print(line);
}

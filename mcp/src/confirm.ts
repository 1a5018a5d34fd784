import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Confirmation } from './define-tool.ts';
import type { Questions } from './questions.ts';

/** A tool cannot go on before the person has answered. */
export class InputNeeded extends Error {
  readonly result: InputRequiredResult;

  constructor(result: InputRequiredResult) {
    super('A person has to answer first.');
    this.result = result;
  }
}

/** Why a tool did nothing, for the assistant to read. */
export class Refused extends Error {}

export interface ConfirmOptions extends Confirmation {
  context: ServerContext;
  /** As it was told at the beginning of the connection; what a request says of itself counts more. */
  clientCapabilities: ClientCapabilities | undefined;
  /** The argument of that name. */
  given: unknown;
  questions: Questions;
  tool: string;
  /** What else the tool was given, the organisation among it. */
  input: Record<string, unknown>;
}

const ANSWER = 'confirmation';

/**
 * The person decides where the client can ask; an assistant that can ask nobody has to spell the name. Over HTTP,
 * before the revision in which every request says what its client can do, that is not known: then nothing is deleted,
 * lest an assistant agrees where a person could have been asked.
 */
export async function confirm(options: ConfirmOptions): Promise<void> {
  const { context, questions, tool, input, name, consequence } = options;
  const capabilities = capabilitiesOf(context) ?? options.clientCapabilities;
  if (!capabilities) throw new Refused(`${consequence} Nothing was changed: ${CANNOT_BE_ASKED}`);
  if (!canAsk(capabilities)) return assertSpelt(options);
  const question = { tool, input, consequence };
  const answer = inputResponse(context.mcpReq.inputResponses, ANSWER);
  if (answer.kind !== 'elicit' || !(await questions.wasAsked(question, context))) {
    throw new InputNeeded(formOf({ name, consequence }, await questions.mint(question, context)));
  }
  if (answer.action === 'accept' && answer.content?.['confirm'] === true) return;
  throw new Refused('The person did not agree. Nothing was changed; do not try again unless they ask for it.');
}

const CANNOT_BE_ASKED =
  'over HTTP, a client of this protocol version cannot be asked for the consent of the person. They can do it in the ' +
  'console or with the command "lilac", or connect by "lilac mcp", or by a client of protocol 2026-07-28.';

function assertSpelt({ given, name, consequence }: ConfirmOptions): void {
  if (given === name) return;
  throw new Refused(
    `${consequence} Nothing was changed yet: this client cannot ask the person, so ask them yourself. ` +
      `When they agree, call this tool again with confirm: ${JSON.stringify(name)}.`,
  );
}

function formOf({ name, consequence }: Confirmation, requestState: string): InputRequiredResult {
  const confirmation = inputRequired.elicit({
    message: consequence,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: `Yes, for good: ${name}` } },
      required: ['confirm'],
    },
  });
  return inputRequired({ inputRequests: { [ANSWER]: confirmation }, requestState });
}

function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  return (mcpReq.envelope as Partial<Record<string, ClientCapabilities>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

/** Who names no way of asking has forms, as before there was another. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Confirmation } from './define-tool.ts';

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
}

const ANSWER = 'confirmation';

/** The person decides where the client can ask; an assistant that can ask nobody has to spell the name. */
export function confirm({ context, clientCapabilities, given, name, consequence }: ConfirmOptions): void {
  if (!canAsk(capabilitiesOf(context) ?? clientCapabilities)) {
    if (given === name) return;
    throw new Refused(
      `${consequence} Nothing was changed yet: this client cannot ask the person, so ask them yourself. ` +
        `When they agree, call this tool again with confirm: ${JSON.stringify(name)}.`,
    );
  }
  const answer = inputResponse(context.mcpReq.inputResponses, ANSWER);
  if (answer.kind !== 'elicit') throw new InputNeeded(question(name, consequence));
  if (answer.action === 'accept' && answer.content?.['confirm'] === true) return;
  throw new Refused('The person did not agree. Nothing was changed; do not try again unless they ask for it.');
}

function question(name: string, consequence: string): InputRequiredResult {
  const confirmation = inputRequired.elicit({
    message: consequence,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: `Yes, for good: ${name}` } },
      required: ['confirm'],
    },
  });
  return inputRequired({ inputRequests: { [ANSWER]: confirmation } });
}

function capabilitiesOf({ mcpReq }: ServerContext): ClientCapabilities | undefined {
  return (mcpReq.envelope as Partial<Record<string, ClientCapabilities>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

/** Who names no way of asking has forms, as before there was another. */
function canAsk(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

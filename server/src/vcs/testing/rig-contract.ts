import { Ajv } from 'ajv';

/** Of an OpenAPI document, what is looked at. */
export interface ContractDocument {
  paths: Record<string, Partial<Record<string, ContractOperation>>>;
  components: { schemas: Record<string, object> };
}

interface ContractOperation {
  parameters?: { name: string; in: string; schema: object }[];
  requestBody?: { content: { 'application/json': { schema: object } } };
  responses: Record<string, { content?: { 'application/json': { schema: object } } }>;
}

export interface Exchange {
  method: string;
  /** Below the API's address, encoded as it came. */
  path: string;
  query: URLSearchParams;
  /** Undefined where there was none. */
  body: unknown;
  status: number;
  answer: unknown;
}

export interface Contract {
  /** What of it the document does not allow. */
  check(exchange: Exchange): string[];
  checkAs(schemaName: string, value: unknown): string[];
}

/** Everywhere, and told in the introduction of such documents only. */
const STATUSES_ANYWHERE = [401, 429];

/** Holds what goes to and fro to a vendor's own description of it. */
export function createContract(document: ContractDocument, { paging }: { paging: readonly string[] }): Contract {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    coerceTypes: false,
    formats: {
      uri: (text: string) => URL.canParse(text),
      'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
    },
  });
  ajv.addSchema(document, 'document');
  const errorsAt = (pointer: readonly string[], value: unknown): string[] => {
    const fragment = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.compile({ $ref: `document#/${fragment.join('/')}` });
    return validate(value) ? [] : [ajv.errorsText(validate.errors)];
  };
  return {
    checkAs: (schemaName, value) =>
      errorsAt(['components', 'schemas', schemaName], value).map((words) => `${schemaName}: ${words}`),
    check(exchange) {
      const method = exchange.method.toLowerCase();
      const template = Object.keys(document.paths).find((each) => isAt(each, exchange.path));
      const operation = template && document.paths[template]?.[method];
      const where = `${exchange.method} ${exchange.path}`;
      if (!operation) return [`${where} is not in the document`];
      const at = ['paths', template, method];
      const said = [
        ...unknownParameters(operation, exchange.query, paging),
        ...checkBody(exchange.body, operation, () => errorsAt([...at, 'requestBody', ...JSON_SCHEMA], exchange.body)),
        ...checkAnswer(exchange, operation, (status) =>
          errorsAt([...at, 'responses', status, ...JSON_SCHEMA], exchange.answer),
        ),
      ];
      return said.map((words) => `${where}: ${words}`);
    },
  };
}

const JSON_SCHEMA = ['content', 'application/json', 'schema'];

function isAt(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith('{') || part === given[index]);
}

function unknownParameters(operation: ContractOperation, query: URLSearchParams, paging: readonly string[]): string[] {
  const known = [...paging, ...(operation.parameters ?? []).map(({ name }) => name)];
  return [...query.keys()].filter((name) => !known.includes(name)).map((name) => `there is no parameter ${name}`);
}

function checkBody(body: unknown, { requestBody }: ContractOperation, errors: () => string[]): string[] {
  if (requestBody) return errors().map((words) => `the body: ${words}`);
  return body === undefined ? [] : ['no body is expected'];
}

function checkAnswer(
  { status, answer }: Exchange,
  { responses }: ContractOperation,
  errors: (status: string) => string[],
): string[] {
  const described = responses[String(status)];
  if (!described) return STATUSES_ANYWHERE.includes(status) ? [] : [`it is never answered ${status}`];
  if (!described.content) return [];
  return errors(String(status)).map(
    (words) => `the answer ${status}: ${words} in ${JSON.stringify(answer).slice(0, 300)}`,
  );
}

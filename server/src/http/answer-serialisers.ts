import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { toSerialiserSchema } from '@lilac/contract/json-schema';
import type { FastifyServerOptions } from 'fastify';

type Serialiser = (answer: unknown) => string;

const compile = SerializerSelector()();

/**
 * Compiles as Fastify does by itself, but every answer once, and when one is first sent: compiling all of them would
 * take a good part of a server's start, and most are not sent for hours.
 */
export const answerSerialisers: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildSerializer: () => (route) => {
      const { schema } = route as { schema: unknown };
      return schema instanceof AnswerSchema ? (answer) => schema.serialise(answer) : compile(route);
    },
  },
};

/** What Fastify holds as the schema of an endpoint's answers. */
class AnswerSchema {
  readonly #declaration: EndpointDeclaration;
  #serialise: Serialiser | undefined;

  constructor(declaration: EndpointDeclaration) {
    this.#declaration = declaration;
  }

  serialise(answer: unknown): string {
    this.#serialise ??= this.#compile();
    return this.#serialise(answer);
  }

  #compile(): Serialiser {
    const { method, path: url, status, output } = this.#declaration;
    return compile({ method, url, httpStatus: String(status), schema: toSerialiserSchema(output) });
  }
}

const schemas = new WeakMap<EndpointDeclaration, AnswerSchema>();

/**
 * One for each declaration: the route of HEAD has the same as that of GET, and so has the next server of this process.
 */
export function answerSchemaOf(declaration: EndpointDeclaration): AnswerSchema {
  const schema = schemas.get(declaration) ?? new AnswerSchema(declaration);
  schemas.set(declaration, schema);
  return schema;
}

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { toSerialiserSchema, type JsonSchema } from '@lilac/contract/json-schema';
import type { FastifyServerOptions } from 'fastify';

type Serialiser = (answer: unknown) => string;

const compile = SerializerSelector()();
const schemas = new WeakMap<EndpointDeclaration, JsonSchema>();
const serialisers = new WeakMap<object, Serialiser>();

/**
 * Compiles as Fastify does by itself, but every answer once: the route of HEAD has the same as that of GET, and so has
 * the next server of this process.
 */
export const answerSerialisers: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildSerializer: () => (route) => {
      const serialise = serialisers.get(route.schema as object) ?? compile(route);
      serialisers.set(route.schema as object, serialise);
      return serialise;
    },
  },
};

/** The same object for the same declaration, by which its serialiser is found again. */
export function answerSchemaOf(declaration: EndpointDeclaration): JsonSchema {
  const schema = schemas.get(declaration) ?? toSerialiserSchema(declaration.output);
  schemas.set(declaration, schema);
  return schema;
}

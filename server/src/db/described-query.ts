import pg from 'pg';

/** What the driver's queries and connections have besides what it declares. */
interface DriverQuery {
  name?: string;
  prepare(connection: DriverConnection): void;
  handleRowDescription(message: RowDescription): void;
}
interface DriverConnection {
  describe(message: object): void;
}
interface RowDescription {
  fields: readonly pg.FieldDef[];
}

const Query = pg.Query as unknown as new (config: pg.QueryConfig) => DriverQuery & pg.Query;

const doNothing = (): void => {};

/** Of each connection, the columns of the named statements that it has prepared. */
const described = new WeakMap<DriverConnection, Map<string, RowDescription>>();

/**
 * A named statement has the same columns each time (the server refuses it when they change), and yet the driver has
 * them described and reads them anew with every call. This one asks once per connection: for a statement of forty
 * columns that is a tenth of what a call of the API costs.
 */
class DescribedQuery extends Query {
  #known: Map<string, RowDescription> | undefined;

  override prepare(connection: DriverConnection): void {
    const known = described.get(connection) ?? new Map<string, RowDescription>();
    described.set(connection, known);
    const description = known.get(this.name ?? '');
    if (!description) {
      this.#known = known;
      return super.prepare(connection);
    }
    super.handleRowDescription(description);
    connection.describe = doNothing;
    try {
      super.prepare(connection);
    } finally {
      // What its class has is seen again.
      Reflect.deleteProperty(connection, 'describe');
    }
  }

  override handleRowDescription(message: RowDescription): void {
    if (this.name) this.#known?.set(this.name, message);
    super.handleRowDescription(message);
  }
}

type Config = pg.QueryConfig & { rowMode?: 'array' };

/** Runs a statement, which is prepared and described once per connection where it has a name. */
export function queryDescribed<Row extends pg.QueryResultRow>(
  client: pg.ClientBase | pg.Pool,
  config: Config,
): Promise<pg.QueryResult<Row>> {
  if (!config.name) return client.query<Row>(config);
  const query = new DescribedQuery(config) as never;
  if (client instanceof pg.Pool) return client.query(query) as Promise<pg.QueryResult<Row>>;
  // Of a query that is made already, a single connection promises nothing.
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: pg.QueryResult<Row>) => (error ? reject(error) : resolve(result));
    void client.query(query, done as never);
  });
}

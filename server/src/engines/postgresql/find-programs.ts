import { EngineRefused } from '../engine.ts';
import { findPrograms, type PostgresqlPrograms } from './programs.ts';

export interface ProgramFinder {
  findFor(version: string): Promise<PostgresqlPrograms>;
  /** Where the operator names some, no others: that one is mistaken is to be seen. */
  findForNew(): Promise<PostgresqlPrograms | undefined>;
}

/** Looks once. What is missing may be installed at any time: it is looked for again. */
export function createProgramFinder(named: string | null): ProgramFinder {
  let found: Promise<PostgresqlPrograms[]> | undefined;

  async function findWhere(isFitting: (programs: PostgresqlPrograms) => boolean) {
    const fitting = (await (found ??= findPrograms(named))).find(isFitting);
    if (!fitting) found = undefined;
    return fitting;
  }

  return {
    async findFor(version) {
      const fitting = await findWhere(({ series }) => String(series) === version);
      if (fitting) return fitting;
      throw new EngineRefused(`This database needs PostgreSQL ${version}, which is not on this machine: install it.`);
    },
    findForNew: () => findWhere(({ origin }) => named === null || origin === 'setting'),
  };
}

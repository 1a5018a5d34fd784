import pg from 'pg';
import type { DatabaseOwner } from '../engine.ts';
import { confirmed } from './confirmed.ts';
import { connectAsPlatform } from './connect.ts';
import { endSessionsOf } from './end-sessions.ts';
import { mendFlags } from './mend-flags.ts';

const { escapeIdentifier: name, escapeLiteral: text } = pg;

/** From this series on the schema `public` belongs to whoever owns the database, and others may not write there. */
const FIRST_WITH_OWNED_SCHEMA = 15;

export async function createDatabase(home: string, series: number, owner: DatabaseOwner): Promise<void> {
  await confirmed(home, async ({ client }) => {
    await ensureOwner(client, owner);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [owner.databaseName]);
    if (rowCount === 0) {
      await client.query(
        `create database ${name(owner.databaseName)} owner ${name(owner.user)} template template0 encoding 'UTF8'`,
      );
    }
    await client.query(`alter database ${name(owner.databaseName)} owner to ${name(owner.user)}`);
    await client.query(`revoke all on database ${name(owner.databaseName)}, postgres, template1 from public`);
  });
  if (series < FIRST_WITH_OWNED_SCHEMA) await handOverSchema(home, owner);
}

/** No superuser, and nothing beyond its own database. */
async function ensureOwner(client: pg.Client, { user, password }: DatabaseOwner): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [user]);
  await client.query(
    `${rowCount === 0 ? 'create' : 'alter'} role ${name(user)} login nosuperuser nocreatedb nocreaterole ` +
      `noreplication nobypassrls password ${text(password)}`,
  );
}

async function handOverSchema(home: string, { databaseName, user }: DatabaseOwner): Promise<void> {
  await using session = await connectAsPlatform(home, databaseName);
  await session.client.query('revoke create on schema public from public');
  await session.client.query(`alter schema public owner to ${name(user)}`);
}

/** Everything in it goes, with all sessions; a repetition after a crash finds it gone and makes it. */
export async function emptyDatabase(home: string, series: number, owner: DatabaseOwner): Promise<void> {
  await confirmed(home, async ({ client }) => {
    await mendFlags(client);
    await client.query(`drop database if exists ${name(owner.databaseName)} with (force)`);
  });
  await createDatabase(home, series, owner);
}

/**
 * While nobody can come in, sessions are ended before and after the change: those that came with the old password, and
 * those that were just about to.
 */
export async function setPassword(
  home: string,
  { user, password }: Pick<DatabaseOwner, 'user' | 'password'>,
): Promise<void> {
  await confirmed(home, async ({ client }) => {
    await shutOut(client, user);
    await endSessionsOf(client, user);
    await client.query(`alter role ${name(user)} password ${text(password)}`);
    await endSessionsOf(client, user);
    await client.query(`alter role ${name(user)} login`);
  });
}

const LOCKED_OUT = '55P03';
const TRIES = 5;

/** Whoever holds the account by a transaction that he does not end is ended with it. */
async function shutOut(client: pg.Client, user: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await endSessionsOf(client, user);
    try {
      await client.query(`alter role ${name(user)} nologin`);
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCKED_OUT || tries === TRIES) throw error;
    }
  }
}
